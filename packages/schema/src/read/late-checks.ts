/** Checks that need a finished instance: custom validators, conditions, and rules after a transformation. */
import { acceptsNull, kindWords } from './accept-kinds';
import { noteFailure, sinkOf, type Location, type Traversal } from './compile-value';
import { isObject } from '@sigil-mcp/base';
import type { LateCheck, PropertyPlan } from '../value-plan';

/** An object whose own properties were all accepted. */
export interface Finished<P> {
  readonly object: Readonly<Record<string, unknown>>;
  readonly location: Location;
  readonly traversal: Traversal;
  /** By which of their names the object has its properties. */
  readonly named: 'name' | 'wireName';
  /** Whether a property was given, rather than left as the class initialises it. */
  isGiven(property: P): boolean;
  /** Whether null was given for it. */
  isNull(property: P): boolean;
  /** What was read of the properties of which a transformation made another type. */
  readonly converted?: ReadonlyMap<P, unknown> | undefined;
}

/** Asks the late checks of all given properties. */
export function askLater<P extends PropertyPlan>(properties: readonly P[], finished: Finished<P>): void {
  for (const property of properties) askProperty(property, finished);
}

function askProperty<P extends PropertyPlan>(property: P, finished: Finished<P>): void {
  const { object, location, traversal, named } = finished;
  const { presence, lateChecks, wireName } = property;
  const made = object[property[named]];
  const at = { parent: location, key: wireName };
  const isNothing = made === undefined && finished.isNull(property);
  const value = isNothing ? null : judged(property, made, finished);
  if (!presence.conditions.every((condition) => isTrue(() => condition(object, value)))) return;
  if (
    isNothing ? presence.required === 'conditionally' : value === null && presence.nullByCondition && !presence.optional
  ) {
    noteFailure(traversal, at, finished.isNull(property) ? wordsForNull(property) : presence.missingMessage);
    return;
  }
  // An initialiser that is no default stands for no value.
  if (made === undefined || !(presence.hasDefault || finished.isGiven(property))) {
    if (isMissed(property, made)) noteFailure(traversal, at, presence.missingMessage);
    return;
  }
  if (made === null && finished.converted?.has(property) && !mayBeNothing(property))
    return noteFailure(traversal, at, presence.missingMessage);
  if (value === null && (property.value.nullable || presence.optional)) return;
  for (const check of lateChecks) {
    if (check.again && !isAskedAgain(property, value, finished)) continue;
    if (!isTrue(() => check.applies(object, value))) continue;
    const held = check.each ? toEntries(value, property.value.values !== undefined) : undefined;
    if (!held) askOne(check, { object, value, at, traversal });
    for (const [key, item] of held ?? []) askOne(check, { object, value: item, at: { parent: at, key }, traversal });
  }
}

/** What the rules are about: what a transformation made, or what it made another type of. */
function judged<P extends PropertyPlan>(property: P, made: unknown, { converted }: Finished<P>): unknown {
  const isFree = made === null && (property.value.nullable || property.presence.optional);
  return made !== undefined && !isFree && converted?.has(property) ? converted.get(property) : made;
}

/** The rules of a Set or a Map are about the array or the object that was sent. */
function isAskedAgain<P extends PropertyPlan>(property: P, value: unknown, finished: Finished<P>): boolean {
  if (value instanceof Set || value instanceof Map) return false;
  return finished.isGiven(property) && !finished.converted?.has(property);
}

function isMissed(property: PropertyPlan, made: unknown): boolean {
  const { required } = property.presence;
  if (required !== 'always') return required === 'conditionally';
  // It was sent, or that would have been told: a transformation made nothing of it.
  return made === undefined && !mayBeNothing(property);
}

function mayBeNothing({ presence, value }: PropertyPlan): boolean {
  return presence.optional || acceptsNull(value);
}

function wordsForNull({ value }: PropertyPlan): string {
  return value.typeMessage?.(null) ?? kindWords({ ...value, nullable: false });
}

interface CheckInput {
  readonly object: object;
  readonly value: unknown;
  readonly at: Location;
  readonly traversal: Traversal;
}

function askOne(check: LateCheck, { object, value, at, traversal }: CheckInput): void {
  const answered = (accepted: unknown): void => {
    if (!accepted) noteFailure(traversal, at, check.message(object, value));
  };
  try {
    const answer = check.accepts(object, value);
    if (answer instanceof Promise) sinkOf(traversal).pending.push(answer.then(answered, () => answered(false)));
    else answered(answer);
  } catch {
    // Closed on doubt: a validator that trips over a value has not accepted it.
    answered(false);
  }
}

/** What a value holds, by index or name; undefined for a value that holds nothing. */
function toEntries(value: unknown, byName: boolean): readonly (readonly [string | number, unknown])[] | undefined {
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item]);
  if (Array.isArray(value) || value instanceof Set)
    return [...(value as Iterable<unknown>)].map((item, index) => [index, item]);
  return byName && isObject(value) ? Object.entries(value) : undefined;
}

/** A condition that throws is taken to hold, so that nothing goes unchecked. */
function isTrue(condition: () => unknown): boolean {
  try {
    return Boolean(condition());
  } catch {
    return true;
  }
}
