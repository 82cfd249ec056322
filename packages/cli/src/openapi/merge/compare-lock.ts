/** What a document says otherwise than the one of the last run. */
import { compareDigests, digestOperation } from '../operations/operation-digest';
import type { ApiOperation } from '../operations/operation';
import type { Pointers } from '../document/pointers';
import type { Lock } from './lock';

/** The differences that concern tools. */
export interface Differences {
  readonly changed: readonly { readonly key: string; readonly tool: string; readonly words: readonly string[] }[];
  /** Operations that the document has no more. */
  readonly removed: readonly { readonly key: string; readonly tool: string }[];
  /** Chosen operations without a tool. */
  readonly added: readonly { readonly key: string }[];
  /** Tools whose methods a person has deleted. */
  readonly deleted: readonly { readonly key: string; readonly tool: string }[];
  /** Operations that are new in the document, and not chosen. */
  readonly unchosen: number;
}

/** What is compared. */
export interface Compared {
  readonly operations: readonly ApiOperation[];
  readonly deleted: ReadonlySet<string>;
  readonly place: { readonly lock: Lock | undefined };
  readonly document: { readonly pointers: Pointers };
}

/** Compares; without a lock everything is added. @param all every operation of the document */
export function compareLock(
  { operations, deleted, place: { lock }, document }: Compared,
  all: readonly ApiOperation[],
): Differences {
  const before = lock?.operations ?? {};
  const there = new Set(all.map(({ key }) => key));
  return {
    changed: operations.flatMap((operation) => {
      const { key } = operation;
      const locked = before[key];
      const words = locked ? compareDigests(locked, digestOperation(operation, document.pointers)) : [];
      return locked && words.length > 0 ? [{ key, tool: locked.tool, words }] : [];
    }),
    removed: Object.entries(before).flatMap(([key, { tool }]) =>
      there.has(key) || deleted.has(key) ? [] : [{ key, tool }],
    ),
    added: operations.filter(({ key }) => before[key] === undefined),
    deleted: [...deleted].flatMap((key) => (before[key] ? [{ key, tool: before[key].tool }] : [])),
    unchosen: all.length - operations.length - deleted.size,
  };
}
