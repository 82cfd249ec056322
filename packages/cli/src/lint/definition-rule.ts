/** A rule for definitions, and what breaks it. */
import type { HostName } from './hosts/host-facts';
import type { OfferedEntry, OfferedServer } from '../offer/offered-server';

/** `error` and `warning` fail a check, `hint` does not. */
export type FindingSeverity = 'error' | 'warning' | 'hint';

/** The dimensions of the Tool Definition Quality Score, and the safety of everybody who reads a definition. */
export type Dimension = 'purpose' | 'usage' | 'behaviour' | 'parameters' | 'conciseness' | 'completeness' | 'safety';

/** A place that breaks a rule. */
export interface RuleBreach {
  /** Left out if it is about the server. */
  readonly entry?: OfferedEntry;
  /** In one sentence without its subject: `the description is empty`. */
  readonly problem: string;
  readonly fix: string;
  /** That of the rule, if left out. */
  readonly severity?: FindingSeverity;
}

/** A rule. */
export interface DefinitionRule {
  /** For options and reports, such as `unclear-purpose`. */
  readonly name: string;
  /** What is asked of definitions, in one sentence. */
  readonly asks: string;
  readonly severity: FindingSeverity;
  readonly dimension: Dimension;
  /** The code of Snyk's agent-scan for the same thing, if there is one. */
  readonly snyk?: string;
  /** @param hosts those that the user names; undefined for all of them */
  find(server: OfferedServer, hosts: readonly HostName[] | undefined): readonly RuleBreach[];
}

/** The tools of a server. */
export function toolsOf({ entries }: OfferedServer): readonly OfferedEntry[] {
  return entries.filter(({ kind }) => kind === 'tool');
}

/** A text member of an entry; empty if it has none. */
export function textOfEntry({ listed }: OfferedEntry, member: 'description' | 'title'): string {
  const text = listed[member];
  return typeof text === 'string' ? text.trim() : '';
}
