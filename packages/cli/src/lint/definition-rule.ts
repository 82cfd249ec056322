/** A rule for definitions, and what breaks it. */
import type { DefinitionText } from './definition-texts';
import type { HostName } from './hosts/host-facts';
import type { OfferedEntry, OfferedServer } from '../offer/offered-server';

/** `error` and `warning` fail a check, `hint` does not. */
export type FindingSeverity = 'error' | 'warning' | 'hint';

/** The dimensions of the Tool Definition Quality Score, and the safety of everybody who reads a definition. */
export type Dimension = 'purpose' | 'usage' | 'behaviour' | 'parameters' | 'conciseness' | 'completeness' | 'safety';

/** What breaks a rule, and how to fix it. */
export interface RuleBreach {
  /** Where it is, for a rule about the server; left out if it is about all of it. */
  readonly entry?: OfferedEntry | undefined;
  /** In one sentence without its subject: `the description is empty`. */
  readonly problem: string;
  readonly fix: string;
  /** That of the rule, if left out. */
  readonly severity?: FindingSeverity;
}

interface RuleFacts {
  /** For options and reports, such as `unclear-purpose`. */
  readonly name: string;
  /** What is asked of definitions, in one sentence. */
  readonly asks: string;
  readonly severity: FindingSeverity;
  readonly dimension: Dimension;
  /** The code of Snyk's agent-scan for the same thing, if there is one. */
  readonly snyk?: string;
}

/** A rule about each of something. */
interface RuleOf<Looks, Subject> extends RuleFacts {
  readonly looksAt: Looks;
  readonly judge: (subject: Subject) => RuleBreach | false | undefined;
}

/** A rule about all of a server. */
export interface WholeRule extends RuleFacts {
  readonly looksAt: 'server';
  /** @param hosts those that the user names; undefined for all of them */
  readonly find: (server: OfferedServer, hosts: readonly HostName[] | undefined) => Iterable<RuleBreach>;
}

/** A rule. */
export type DefinitionRule =
  | WholeRule
  | RuleOf<'entries', OfferedEntry>
  | RuleOf<'tools', OfferedEntry>
  | RuleOf<'texts', DefinitionText>
  | RuleOf<'prose', DefinitionText>;

/** The tools of a server. */
export function toolsOf({ entries }: OfferedServer): readonly OfferedEntry[] {
  return entries.filter(({ kind }) => kind === 'tool');
}

/** A text member of an entry; empty if it has none. */
export function textOfEntry({ listed }: OfferedEntry, member: 'description' | 'title'): string {
  const text = listed[member];
  return typeof text === 'string' ? text.trim() : '';
}
