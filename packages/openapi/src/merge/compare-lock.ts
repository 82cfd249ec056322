/** What a document says otherwise than the one of the last run. */
import { compareDigests, digestOperation } from '../operations/operation-digest';
import type { ApiOperation, LeftOperation } from '../operations/operation';
import type { Pointers } from '../document/pointers';
import type { Lock } from './lock';

/** The differences that concern tools. */
export interface Differences {
  readonly changed: readonly { readonly key: string; readonly tool: string; readonly words: readonly string[] }[];
  /** Operations that the document has no more, or that cannot be tools any more. */
  readonly removed: readonly RemovedOperation[];
  /** Those that the document has, and that nobody chooses any more. */
  readonly dropped: readonly { readonly key: string; readonly tool: string }[];
  /** Chosen operations without a tool. */
  readonly added: readonly { readonly key: string }[];
  /** Tools whose methods a person has deleted. */
  readonly deleted: readonly { readonly key: string; readonly tool: string }[];
  /** Operations that are new in the document, and not chosen. */
  readonly unchosen: number;
}

/** An operation whose tool is gone. */
export interface RemovedOperation {
  readonly key: string;
  readonly tool: string;
  /** Why it cannot be a tool; undefined if the document has it no more. */
  readonly reason: string | undefined;
}

/** What is compared. */
export interface Compared {
  readonly operations: readonly ApiOperation[];
  readonly deleted: ReadonlySet<string>;
  readonly place: { readonly lock: Lock | undefined };
  readonly document: { readonly pointers: Pointers };
}

/** What a document has. */
export interface WholeDocument {
  readonly all: readonly ApiOperation[];
  readonly left: readonly LeftOperation[];
}

/** Compares; without a lock everything is added. */
export function compareLock(
  { operations, deleted, place: { lock }, document }: Compared,
  { all, left }: WholeDocument,
): Differences {
  const before = lock?.operations ?? {};
  const there = new Set(all.map(({ key }) => key));
  const chosen = new Set(operations.map(({ key }) => key));
  const reasons = new Map(left.map(({ operation, reason }) => [operation.key, reason]));
  const written = Object.entries(before).filter(([key]) => !deleted.has(key) && !chosen.has(key));
  return {
    changed: operations.flatMap((operation) => {
      const { key } = operation;
      const locked = before[key];
      const words = locked ? compareDigests(locked, digestOperation(operation, document.pointers)) : [];
      return locked && words.length > 0 ? [{ key, tool: locked.tool, words }] : [];
    }),
    removed: written.flatMap(([key, { tool }]) => (there.has(key) ? [] : [{ key, tool, reason: reasons.get(key) }])),
    dropped: written.flatMap(([key, { tool }]) => (there.has(key) ? [{ key, tool }] : [])),
    added: operations.filter(({ key }) => before[key] === undefined),
    deleted: [...deleted].flatMap((key) => (before[key] ? [{ key, tool: before[key].tool }] : [])),
    unchosen: all.length - operations.length - deleted.size,
  };
}
