/** Value plan -> the function that reads such a value. Shared by both directions; what differs between them is a `Mode`. */
import { isObject, shorten, type Failure } from '@sigil-mcp/base';
import { findWrongKey } from '../plain/json-data';
import type { Check, ClassPlan, UnionPlan, ValuePlan } from '../value-plan';
import { kindTest, wordsAgainst } from './accept-kinds';

/** Reads the value that stands at `key` in `parent`; undefined after noting a failure. */
export type ReadValue = (
  value: unknown,
  parent: Location | undefined,
  key: string | number,
  traversal: Traversal,
) => unknown;

/** Makes the final value: an instance, a list, a date. */
export type FinishValue = ReadValue;

/** One direction of reading. */
export interface Mode {
  /** The first step for a value; undefined if there is no such step. */
  prepare(plan: ValuePlan): ((value: unknown) => unknown) | undefined;
  /** The reader of a class; called once per class. */
  object(plan: ClassPlan, mode: Mode): ReadValue;
  /** The reader of a value of several types. */
  union(plan: ValuePlan, union: UnionPlan, mode: Mode): ReadValue;
  /** The last step for values without a class and without items. */
  leaf(plan: ValuePlan): FinishValue | undefined;
  /** Sets and Maps are made of arrays and objects. */
  readonly makesCollections: boolean;
  /** The checks see the finished value, not the given one: an output is checked after it was stripped. */
  readonly checksFinished: boolean;
  /** A text becomes a late Date only when nothing is asked any more. */
  readonly defersDates: boolean;
  /** The value answers a form, and may be anything that the form allows. */
  readonly isForm: boolean;
}

/** Compiles a value and all that it contains. */
export function compileValue(plan: ValuePlan, mode: Mode): ReadValue {
  const prepare = mode.prepare(plan);
  // The types of a union are checked when one of them is chosen.
  const isKind = plan.union ? (): boolean => true : kindTest(plan);
  const { nullable, typeMessage } = plan;
  const checks = mode.isForm ? plan.checks().map(inForm) : plan.checks();
  const finish = compileFinish(plan, mode);
  const late = mode.checksFinished;
  return (given, parent, key, traversal) => {
    const value = prepare ? prepare(given) : given;
    if (value === null && nullable) return null;
    if (!isKind(value))
      return noteFailure(traversal, { parent, key }, typeMessage?.(value) ?? wordsAgainst(plan, value));
    const location = { parent, key };
    if (!late) runChecks(checks, value, location, traversal);
    const finished = finish ? finish(value, parent, key, traversal) : value;
    if (late && traversal.failures.length === 0) runChecks(checks, finished, location, traversal);
    return finished;
  };
}

function inForm(check: Check): Check {
  return check.acceptsInForm ? { ...check, accepts: check.acceptsInForm } : check;
}

function runChecks(checks: readonly Check[], value: unknown, location: Location, traversal: Traversal): void {
  for (const check of checks) {
    if (!check.accepts(value)) noteFailure(traversal, location, check.message(value));
  }
}

function compileFinish(plan: ValuePlan, mode: Mode): FinishValue | undefined {
  if (plan.union) return mode.union(plan, plan.union, mode);
  if (plan.nested) return mode.object(plan.nested, mode);
  if (plan.values) return compileMembers(plan, compileValue(plan.values, mode), mode);
  if (!plan.items) return mode.leaf(plan);
  const readItems = compileItems(compileValue(plan.items, mode));
  return plan.made === 'Set' && mode.makesCollections ? collect(readItems) : readItems;
}

function collect(readItems: FinishValue): FinishValue {
  return (value, parent, key, traversal) => {
    const items = readItems(value, parent, key, traversal);
    return Array.isArray(items) ? new Set<unknown>(items) : items;
  };
}

/** Of an object whose names are data: `__proto__` is a name like any other. */
function compileMembers({ made }: ValuePlan, readMember: ReadValue, { makesCollections }: Mode): FinishValue {
  const isMap = made === 'Map' && makesCollections;
  return (value, parent, key, traversal) => {
    if (!isObject(value)) return value;
    const location = { parent, key };
    if (value instanceof Map)
      return noteFailure(traversal, location, `is ${findWrongKey(value)}, which JSON cannot say`);
    if (traversal.depth >= deepestLevel) return noteTooDeep(traversal, location);
    traversal.depth += 1;
    const entries: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      if (traversal.failures.length >= traversal.most) break;
      // What has no value in JSON has no name either.
      if (value[name] !== undefined) entries.push([name, readMember(value[name], location, name, traversal)]);
    }
    traversal.depth -= 1;
    return isMap ? new Map(entries) : Object.fromEntries(entries);
  };
}

function compileItems(readItem: ReadValue): FinishValue {
  return (value, parent, key, traversal) => {
    if (!Array.isArray(value)) return value;
    const location = { parent, key };
    if (traversal.depth >= deepestLevel) return noteTooDeep(traversal, location);
    traversal.depth += 1;
    const items: unknown[] = [];
    for (let index = 0; index < value.length && traversal.failures.length < traversal.most; index += 1) {
      // What has no value in JSON is null in an array.
      items.push(readItem(value[index] ?? null, location, index, traversal));
    }
    traversal.depth -= 1;
    return items;
  };
}

/** The failure of a value that is nested beyond the limit. */
export function noteTooDeep(traversal: Traversal, location: Location): undefined {
  return noteFailure(traversal, location, `is nested too deeply (more than ${deepestLevel} levels)`);
}

// One way through a value, to read or to write it: what was refused so far, and what is still to be asked.

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
