/** The contract of a server: everything that its clients may count on, as it is kept in a file. */
import type { DescribedEntry, EntryKind, LimitsOfEntry, JsonObject } from '@sigil-mcp/core';

/** The version of the format. */
export const CONTRACT_FORMAT = 1;

/** Who may use an entry; only what it wants. */
export type ContractAccess = Partial<DescribedEntry['access']>;

/** What is promised of one tool, resource, resource template or prompt. Members are left out where nothing is said. */
export interface ContractEntry {
  /** The item of its list in the newest revision. */
  readonly definition: JsonObject;
  /** Other revisions, such as `2025-06-18, 2025-03-26` -> what is different there, as a merge patch (RFC 7396). */
  readonly older?: Readonly<Record<string, JsonObject>>;
  /** The schema of arguments that lists do not have. */
  readonly input?: JsonObject;
  /** The forms that it asks the user. */
  readonly asks?: readonly JsonObject[];
  /** The arguments that it completes. */
  readonly completes?: readonly string[];
  readonly access?: ContractAccess;
  readonly limits?: LimitsOfEntry;
  readonly cache?: JsonObject;
  readonly isUnlisted?: true;
  /** What its option `task` says. */
  readonly task?: JsonObject;
  /** The version of the server in which it appeared. */
  readonly since?: string;
  /** Why it should not be used any more. */
  readonly deprecated?: string;
  /** Old name, by which it is still called -> whether its arguments are those of today, or are converted. */
  readonly replaces?: Readonly<Record<string, 'same arguments' | 'converted arguments'>>;
}

/** Key -> entry. */
export type ContractEntries = Readonly<Record<string, ContractEntry>>;

/** The contract of a server. */
export interface ServerContract {
  /** The version of the format. */
  readonly contract: typeof CONTRACT_FORMAT;
  readonly server: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  /** The revisions that it serves, the newest first. */
  readonly revisions: readonly string[];
  readonly extensions: readonly string[];
  readonly entries: Readonly<Record<EntryKind, ContractEntries>>;
}

/** The kinds of entries, in the order of the file. */
export const CONTRACT_KINDS: readonly EntryKind[] = ['tool', 'resource', 'resource-template', 'prompt'];
