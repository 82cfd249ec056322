/** One change of a contract, and what it means for clients. */
import type { EntryKind } from '@sigil-mcp/core';

/**
 * `breaking`: something that clients do may fail now. `security`: more is possible than before, or a client that pins definitions asks its
 * user again. `compatible`: everything that worked goes on.
 */
export type ChangeLevel = 'breaking' | 'security' | 'compatible';

/** The levels, the most serious first. */
export const LEVELS: readonly ChangeLevel[] = ['breaking', 'security', 'compatible'];

/** One change. */
export interface ContractChange {
  readonly level: ChangeLevel;
  /** Such as `entry-gone` or `input-required`. */
  readonly code: string;
  readonly kind?: EntryKind;
  /** Name of a tool or prompt, URI of a resource, URI template of a template; left out for a change of the server. */
  readonly key?: string;
  /** The property in a schema, such as `authors[].name`. */
  readonly path?: string;
  /** What changed, in words. */
  readonly text: string;
  /** The revisions in which it is seen, if not in the newest. */
  readonly revisions?: readonly string[];
}

/** A change without its entry. */
export type EntryChangeFound = Omit<ContractChange, 'kind' | 'key'>;

/** Makes a change. */
export function change(level: ChangeLevel, code: string, text: string, path?: string): EntryChangeFound {
  return { level, code, text, ...(path !== undefined && path !== '' && { path }) };
}
