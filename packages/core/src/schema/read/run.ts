/** The state of one reading: what was refused so far, where it stands, and what is still to be asked. */
import type { Failure } from '../../errors/failure';
import { shorten } from '../rules/rule-message';

/** A place in the value, as a chain towards its root; becomes a path only for a failure. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** Where a value stands: the place of what contains it. */
export interface Run {
  readonly failures: Failure[];
  /** Levels of objects and arrays around the value. */
  depth: number;
  /** What to ask of finished instances once the whole value was accepted. */
  readonly later: (() => void)[];
  /** Answers of asynchronous validators. */
  readonly pending: Promise<void>[];
}

/** More failures help nobody. */
export const mostFailures = 50;
/** Deeper than anything a person or a model writes, far from the end of the stack. */
export const deepestLevel = 500;

const longestKey = 60;

/** A run for one call. */
export function openRun(): Run {
  return { failures: [], depth: 0, later: [], pending: [] };
}

/** Notes a failure and stands for the value that is not there. */
export function refuse(run: Run, place: Place, message: string): undefined {
  if (run.failures.length < mostFailures) run.failures.push({ path: pathOf(place), message });
  return undefined;
}

/** `stops[2].city`; the root is an empty text. */
function pathOf(place: Place): string {
  const parts: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) parts.unshift(step(at.key));
  const path = parts.join('');
  return path.startsWith('.') ? path.slice(1) : path;
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
    ? `.${shorten(key, longestKey)}`
    : `[${JSON.stringify(shorten(key, longestKey))}]`;
}
