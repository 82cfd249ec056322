/** The members in which two values differ, so that only these are written, and everything else stays as its author has it. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@sigil-mcp/base';

/** One change of a file. */
export interface MemberChange {
  /** The names from the top of the file. */
  readonly path: readonly string[];
  /** Absent for a member that is removed. */
  readonly value?: unknown;
}

/** The changes from one value to another. Lists are changed as a whole. */
export function changesOf(before: unknown, after: unknown, path: readonly string[]): MemberChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isMembers(before) || !isMembers(after)) return [{ path, value: after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): MemberChange[] => {
    const inner = [...path, name];
    if (!Object.hasOwn(after, name)) return [{ path: inner }];
    return Object.hasOwn(before, name)
      ? changesOf(before[name], after[name], inner)
      : [{ path: inner, value: after[name] }];
  });
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
