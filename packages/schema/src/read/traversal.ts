/** One way through a value, to read or to write it: what was refused so far, and what is still to be asked. */
import type { ValuePlan } from '../value-plan';
import { shorten, type Failure } from '@sigil-mcp/base';

/** Where something stands in the value, as a chain towards its root; becomes a path only for a failure. */
export interface Location {
  readonly parent: Location | undefined;
  readonly key: string | number;
}

/** The state of one way through a value. */
export interface Traversal {
  /** With so many failures the value is refused, and no more is said of it: what is still unread makes no difference. */
  readonly most: number;
  /** Only whether there is a failure is asked: none is put into words. */
  readonly isQuiet: boolean;
  readonly failures: Failure[];
  /** Levels of objects and arrays around what is being read. */
  depth: number;
  /** What to ask of finished instances once the whole value was accepted. */
  readonly later: (() => void)[];
  /** Answers of asynchronous validators. */
  readonly pending: Promise<void>[];
  /** What to do with an accepted value when nothing is asked any more; undefined for nothing. */
  last: (() => void)[] | undefined;
  /** The traversal that took over what this one read: late failures are noted there. */
  into: Traversal | undefined;
  /** What was tried of unions already, by value: without it, unions within unions would be tried again and again. */
  tried: Map<unknown, Map<ValuePlan, BranchRead>> | undefined;
}

/** A value, read as one of the types of a union. */
export interface BranchRead {
  readonly made: unknown;
  readonly traversal: Traversal;
}

/** A longer list of failures is not useful. */
export const mostFailures = 50;
/** Deeper than any value that a person or a model writes, and far from the end of the stack. */
export const deepestLevel = 500;

const longestKey = 60;

/** Stands for any failure while failures are not collected. */
const SOMETHING: Failure = { path: '', message: 'is not valid' };

/** A traversal of one value. */
export function openTraversal(isQuiet = false): Traversal {
  return {
    most: isQuiet ? 1 : mostFailures,
    isQuiet,
    failures: [],
    depth: 0,
    later: [],
    pending: [],
    last: undefined,
    into: undefined,
    tried: undefined,
  };
}

/** Where failures and promises of a traversal belong by now. */
export function sinkOf(traversal: Traversal): Traversal {
  let sink = traversal;
  while (sink.into) sink = sink.into;
  return sink;
}

/** Notes a failure and stands for the value that is not there. */
export function noteFailure(traversal: Traversal, location: Location, message: string): undefined {
  const sink = sinkOf(traversal);
  if (sink.failures.length < sink.most)
    sink.failures.push(sink.isQuiet ? SOMETHING : { path: pathOf(location), message });
  return undefined;
}

/** `stops[2].city`; the root is an empty text. */
export function pathOf(location: Location): string {
  const parts: string[] = [];
  for (let at: Location | undefined = location; at?.parent; at = at.parent) parts.unshift(step(at.key));
  const path = parts.join('');
  return path.startsWith('.') ? path.slice(1) : path;
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
    ? `.${shorten(key, longestKey)}`
    : `[${JSON.stringify(shorten(key, longestKey))}]`;
}
