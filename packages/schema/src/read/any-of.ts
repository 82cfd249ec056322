/** A value of several types without a discriminator: the first type that accepts it is used. */
import { isObject, shorten } from '@sigil-mcp/base';
import type { ClassPlan, UnionPlan, ValuePlan } from '../value-plan';
import { kindTest, kindWords, wordsAgainst } from './accept-kinds';
import {
  compileValue,
  mostFailures,
  noteFailure,
  openTraversal,
  pathOf,
  type BranchRead,
  type Location,
  type Mode,
  type ReadValue,
  type Traversal,
} from './compile-value';

interface Case {
  readonly plan: ValuePlan;
  readonly fits: (value: unknown) => boolean;
  /** Names on the wire that an object must have to be accepted; empty for outputs. */
  readonly required: readonly string[];
  readonly read: ReadValue;
  /** It may accept a value of another type after converting it. */
  readonly converts: boolean;
  /** It may itself hold a value of several types, so attempts are cached and not repeated. */
  readonly remembers: boolean;
}

/** How well an option suits a value that it may accept; the first of the best is tried first. */
type Suits = (option: ValuePlan, value: unknown) => number;

/** Compiles the choice. */
export function compileAnyOf(whole: ValuePlan, { options }: UnionPlan, mode: Mode, suits?: Suits): ReadValue {
  const compiled = options.map((plan): Case => ({
    plan,
    fits: kindTest(plan),
    required: suits ? [] : requiredNames(plan),
    read: compileValue(plan, mode),
    converts: mode.prepare(plan) !== undefined,
    remembers: holdsUnion(plan, new Set()),
  })); // prettier-ignore
  return (value, parent, key, traversal) => {
    const given: Given = { value, location: { parent, key }, outer: traversal };
    const fitting = compiled.filter(({ fits }) => fits(value));
    if (suits) fitting.sort((left, right) => suits(right.plan, value) - suits(left.plan, value));
    const attempt = firstFit(fitting, given) ?? firstFit(others(compiled, fitting), given);
    if (attempt) return adopt(attempt, traversal);
    const words = wordsAgainst(whole, value);
    if (traversal.isQuiet) return noteFailure(traversal, given.location, words);
    const refused = fitting.map((option) => [option, tryOption(option, given, false)] as const);
    return noteRefusal(refused, words, given.location, traversal);
  };
}

/** The first option that accepts a value. Failures are collected only if no option accepts it. */
function firstFit(options: readonly Case[], given: Given): BranchRead | undefined {
  for (const option of options) {
    if (lacksRequired(option, given.value)) continue;
    const attempt = tryOption(option, given, true);
    if (attempt.traversal.failures.length === 0) return attempt;
  }
  return undefined;
}

/** Options that may accept a value of another type after converting it. */
function others(options: readonly Case[], fitting: readonly Case[]): readonly Case[] {
  return options.filter((each) => each.converts && !fitting.includes(each));
}

function requiredNames({ nested }: ValuePlan): readonly string[] {
  const always = nested?.properties.filter(({ presence }) => presence.required === 'always') ?? [];
  return always.map(({ wireName }) => wireName);
}

/** A quick check that avoids making an instance that would be refused. */
function lacksRequired({ required }: Case, value: unknown): boolean {
  return required.length > 0 && isObject(value) && required.some((name) => value[name] === undefined);
}

/** A value, its place, and the traversal that reached it. */
interface Given {
  readonly value: unknown;
  readonly location: Location;
  readonly outer: Traversal;
}

/** Reads a value as one of its types, separately. Objects are read once for each type, and once more to collect its failures. */
function tryOption({ plan, read, remembers }: Case, { value, location, outer }: Given, isQuiet: boolean): BranchRead {
  const tried = remembers ? (outer.tried ??= new Map<unknown, Map<ValuePlan, BranchRead>>()) : undefined;
  const known = tried?.get(value);
  const before = known?.get(plan);
  if (before && (isQuiet || !before.traversal.isQuiet)) return before;
  const traversal = openTraversal(isQuiet);
  traversal.depth = outer.depth;
  traversal.tried = tried;
  const attempt = { made: read(value, location.parent, location.key, traversal), traversal };
  if (tried && typeof value === 'object' && value !== null)
    tried.set(value, (known ?? new Map<ValuePlan, BranchRead>()).set(plan, attempt));
  return attempt;
}

/** Whether a value may be of several types, or hold such a value. */
function holdsUnion(plan: ValuePlan, seen: Set<ClassPlan>): boolean {
  const { union, items, values, nested } = plan;
  if (union || [items, values].some((held) => held && holdsUnion(held, seen))) return true;
  if (!nested || seen.has(nested)) return false;
  seen.add(nested);
  return nested.properties.some(({ value }) => holdsUnion(value, seen));
}

/** Late checks of an accepted value run in the traversal that accepted it. */
function adopt({ made, traversal }: BranchRead, outer: Traversal): unknown {
  traversal.into = outer;
  for (const ask of traversal.later) outer.later.push(ask);
  if (traversal.last) (outer.last ??= []).push(...traversal.last);
  return made;
}

function noteRefusal(
  refused: readonly (readonly [Case, BranchRead])[],
  words: string,
  location: Location,
  traversal: Traversal,
): undefined {
  const [only, another] = refused;
  if (!only) return noteFailure(traversal, location, words);
  if (!another) {
    const room = mostFailures - traversal.failures.length;
    traversal.failures.push(...only[1].traversal.failures.slice(0, room));
    return undefined;
  }
  const reasons = refused.map(([option, attempt]) => `${nameOf(option.plan)} (${reasonOf(attempt, location)})`);
  return noteFailure(traversal, location, `fits none of ${shorten(reasons.join(', '), 400)}`);
}

function nameOf(plan: ValuePlan): string {
  return plan.nested?.dto.name ?? kindWords(plan).replace(/^must be (an? )?/, '');
}

function reasonOf({ traversal }: BranchRead, location: Location): string {
  const [first] = traversal.failures;
  if (!first) return '';
  const within = first.path.slice(pathOf(location).length).replace(/^\./, '');
  return `${within === '' ? '' : `${within} `}${shorten(first.message, 100)}`;
}

// A value whose class is named by one of its properties: only that class reads it, and only its failures are reported.

/** The name in the discriminator property; undefined if it is missing. */
type NameOf = (value: Readonly<Record<string, unknown>>, property: string) => unknown;

/** Compiles the choice by the property. */
export function compileTagged(
  { options }: UnionPlan,
  property: string,
  mode: Mode,
  nameOf: NameOf = ownMember,
): ReadValue {
  const readers = new Map<unknown, ReadValue>(options.map((option) => [tagOf(option), compileValue(option, mode)]));
  const names = shorten([...readers.keys()].map((name) => JSON.stringify(name)).join(', '), 300);
  return (value, parent, key, traversal) => {
    const location = { parent, key };
    if (!isObject(value)) return noteFailure(traversal, location, 'must be an object');
    const name = nameOf(value, property);
    const read = readers.get(name);
    if (read) return read(value, parent, key, traversal);
    const words = name === undefined ? `is required: one of ${names}` : `must be one of ${names}`;
    return noteFailure(traversal, { parent: location, key: property }, words);
  };
}

/** What a value says of itself. */
export function ownMember(value: Readonly<Record<string, unknown>>, property: string): unknown {
  return Object.hasOwn(value, property) ? value[property] : undefined;
}

function tagOf({ nested }: ValuePlan): string | undefined {
  return nested?.tag?.value;
}

/** Wraps a compiler of classes: a class that is being compiled is called through its finished reader. */
export function oncePerClass(compile: (plan: ClassPlan, mode: Mode) => ReadValue): Mode['object'] {
  const readers = new Map<ClassPlan, ReadValue>();
  return (plan, mode) => {
    const known = readers.get(plan);
    if (known) return known;
    readers.set(plan, (...given) => reader(...given));
    const reader = compile(plan, mode);
    readers.set(plan, reader);
    return reader;
  };
}

/** The reader of a class and of all that it contains. */
export function compileWhole(plan: ClassPlan, mode: Mode): ReadValue {
  return mode.object(plan, mode);
}
