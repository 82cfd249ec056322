/** JSON object -> instance of its DTO: only known keys; absent properties get their default, or stay absent. */
import { acceptsNull } from './accept-kinds';
import { compileAnyOf, compileTagged, compileWhole, oncePerClass } from './any-of';
import {
  compileValue,
  deepestLevel,
  noteFailure,
  noteTooDeep,
  type Location,
  type Mode,
  type ReadValue,
  type Traversal,
} from './compile-value';
import { readDateText, isDateText } from '../date-text';
import { convertLeniently, convertText } from './convert-text';
import { askLater } from './late-checks';
import { isObject, shorten, isPromise, unawaited } from '@sigil-mcp/base';
import { readWhole, readWithoutBlanks } from './read-whole';
import type { ClassPlan, PropertyPlan, ValuePlan } from '../value-plan';

/** The result of a transformation, and whether its type differs from that of its input. */
interface Transformed {
  readonly made: unknown;
  readonly isOther: boolean;
}

/** How the values on the wire may differ from the schema. */
export interface InputOptions {
  /** The wire holds only strings: prompt arguments, URI variables. False if left out. */
  readonly strings?: boolean;
  /** Values of another type are converted if their meaning is unambiguous. False if left out. */
  readonly coerce?: boolean;
  /** The answer to a form: fields that the form does not have are dropped, and a text in the format of its field is accepted. False if left out. */
  readonly form?: boolean;
}

interface PropertyReader extends PropertyPlan {
  readonly read: ReadValue;
  /** Null counts as absent. */
  readonly absentNull: boolean;
  /** Objects inherit a member of this name, so it must be an own member. */
  readonly inherited: boolean;
  readonly asksLater: boolean;
}

/** The reader of a class and of all that it contains. */
export function compileInputReader(plan: ClassPlan, options: InputOptions): ReadValue {
  return compileWhole(plan, compileObjectReader(options, asksAuthor(plan)));
}

/** Reads a whole value of which optional members may be empty texts. */
export function readBlanks(read: ReadValue, { properties }: ClassPlan, value: unknown): ReturnType<typeof readWhole> {
  const optional = properties.filter(({ presence }) => presence.required !== 'always');
  const names = new Set(optional.map(({ wireName }) => wireName));
  return readWithoutBlanks((given) => readWhole(read, given), names, value);
}

/** The mode that reads into instances. */
export function compileObjectReader(
  { strings = false, coerce = false, form = false }: InputOptions,
  defersDates = false,
): Mode {
  const convert = coerce ? convertLeniently : strings ? convertText : undefined;
  return {
    prepare: (plan) => convert?.(plan),
    object: oncePerClass(compileObject),
    union: (plan, union, mode) =>
      union.discriminator === undefined
        ? compileAnyOf(plan, union, mode)
        : compileTagged(union, union.discriminator, mode),
    makesCollections: true,
    leaf: ({ kinds, isLateDate }) =>
      kinds?.has('date') && !(isLateDate && defersDates) ? (value) => readDateText(String(value)) : undefined,
    defersDates,
    checksFinished: false,
    isForm: form,
  };
}

function compileObject(plan: ClassPlan, mode: Mode): ReadValue {
  const properties = plan.properties.map((property) => compileProperty(property, mode));
  const known = new Set(properties.map(({ wireName }) => wireName));
  const { construct, tag } = plan;
  const keptTag = tag?.kept && !known.has(tag.property) ? tag : undefined;
  if (tag) known.add(tag.property);
  const names = known.size > 0 ? `known: ${shorten([...known].join(', '), 300)}` : 'known: none';
  const later = properties.filter(({ asksLater }) => asksLater);
  // The last member first: an engine keeps the shape of an object if its last added member is removed.
  const takenOff = properties.filter(({ presence }) => presence.takenOff).reverse();
  const { isForm } = mode;
  const dated = mode.defersDates ? properties.filter((property) => isLate(property.value)) : [];
  return (value, parent, key, traversal) => {
    if (!isObject(value)) return noteFailure(traversal, { parent, key }, 'must be an object');
    const location = { parent, key };
    if (traversal.depth >= deepestLevel) return noteTooDeep(traversal, location);
    for (const name of isForm ? [] : Object.keys(value)) {
      if (traversal.failures.length >= traversal.most) break;
      if (!known.has(name))
        noteFailure(traversal, { parent: location, key: name }, `is not a known property (${names})`);
    }
    const instance = construct() as Record<string, unknown>; // the class declares the members that are written below
    if (keptTag) instance[keptTag.property] = keptTag.value;
    traversal.depth += 1;
    const reading: ObjectReading = { value, instance, location, traversal, converted: undefined };
    for (const property of properties) readProperty(property, reading);
    traversal.depth -= 1;
    for (const property of takenOff) {
      if (findGiven(property, value) === undefined) Reflect.deleteProperty(instance, property.name);
    }
    if (later.length > 0) {
      const isGiven = (property: PropertyReader): boolean => findGiven(property, value) !== undefined;
      const isNull = ({ wireName }: PropertyReader): boolean => value[wireName] === null;
      const { converted } = reading;
      const finished = { object: instance, location, traversal, named: 'name', isGiven, isNull, converted } as const;
      traversal.later.push(() => askLater(later, finished));
    }
    if (dated.length > 0) (traversal.last ??= []).push(() => makeDates(dated, instance));
    return instance;
  };
}

function makeDates(properties: readonly PropertyReader[], instance: Record<string, unknown>): void {
  for (const { name, value } of properties) {
    const read = instance[name];
    if (read !== undefined) instance[name] = withDates(value, read);
  }
}

function compileProperty(property: PropertyPlan, mode: Mode): PropertyReader {
  const { value, wireName, presence, lateChecks } = property;
  return {
    ...property,
    read: compileValue(value, mode),
    absentNull: presence.required !== 'always' && !acceptsNull(value),
    inherited: wireName in Object.prototype,
    asksLater: lateChecks.length > 0 || presence.conditions.length > 0 || property.transform !== undefined,
  };
}

interface ObjectReading {
  readonly value: Readonly<Record<string, unknown>>;
  readonly instance: Record<string, unknown>;
  readonly location: Location;
  readonly traversal: Traversal;
  /** The read values of properties that a transformation converted to another type; created with the first. */
  converted: Map<PropertyReader, unknown> | undefined;
}

function readProperty(property: PropertyReader, reading: ObjectReading): void {
  const { value, instance, location, traversal } = reading;
  const { wireName, presence, transform } = property;
  const given = findGiven(property, value);
  if (given === undefined) {
    if (presence.required === 'always')
      noteFailure(traversal, { parent: location, key: wireName }, presence.missingMessage);
    return;
  }
  const refused = traversal.failures.length;
  const read = property.read(given, location, wireName, traversal);
  if (!transform) instance[property.name] = read;
  else if (traversal.failures.length === refused) writeTransformed(property, read, reading);
}

/** The sent value of a property; undefined if it counts as absent. */
function findGiven({ wireName, inherited, absentNull }: PropertyReader, value: ObjectReading['value']): unknown {
  const given = inherited && !Object.hasOwn(value, wireName) ? undefined : value[wireName];
  return given === null && absentNull ? undefined : given;
}

/** If a transformation returns undefined, the property counts as not sent. */
function writeTransformed(property: PropertyReader, read: unknown, reading: ObjectReading): void {
  const { value, instance, location, traversal } = reading;
  const { name, wireName, presence } = property;
  const transformed = transformRead(property, read, value);
  if (!transformed) return noteFailure(traversal, { parent: location, key: wireName }, 'could not be converted');
  const { made, isOther } = transformed;
  if (isOther) (reading.converted ??= new Map()).set(property, read);
  if (made !== undefined) instance[name] = made;
  else if (presence.takenOff || instance[name] === undefined) Reflect.deleteProperty(instance, name);
}

/**
 * Transforms a read value.
 * @param object the sent object that holds the property
 * @returns undefined if the function throws, or returns a value that is not valid: NaN, an invalid Date, or a promise, which is not
 * awaited
 */
function transformRead({ transform, value }: PropertyPlan, read: unknown, object: object): Transformed | undefined {
  try {
    const made = transform?.(read, object);
    if (!isPromise(made))
      return holdsNone(made)
        ? undefined
        : { made, isOther: !isSameType(read, made, isLate(value) ? keyOfDated : typeOf) };
    unawaited(made);
  } catch {
    // The author's function received a value that it was not written for: this counts as the client's mistake.
  }
  return undefined;
}

function holdsNone(made: unknown): boolean {
  if (Array.isArray(made)) return made.some(isNone);
  return made instanceof Set ? [...(made as Set<unknown>)].some(isNone) : isNone(made);
}

function isNone(made: unknown): boolean {
  return Number.isNaN(made instanceof Date ? made.getTime() : made);
}

function isSameType(one: unknown, other: unknown, keyOf: (value: unknown) => unknown): boolean {
  if (keyOf(one) !== keyOf(other)) return false;
  if (!Array.isArray(one) || !Array.isArray(other)) return true;
  const types = new Set(one.map(keyOf));
  return other.every((item) => types.has(keyOf(item)));
}

/** A transformation may change the text of a date to its Date: both have the same rules. */
function keyOfDated(value: unknown): unknown {
  return typeOf(value instanceof Date ? '' : value);
}

/** A key that values of the same type share. */
function typeOf(value: unknown): unknown {
  if (value === null) return null;
  return typeof value === 'object' ? (Object.getPrototypeOf(value) ?? Object.prototype) : typeof value;
}

/**
 * Whether a function of the author sees what is read. Where none does, a text becomes a Date when it is read.
 *
 * Texts of dates that become Dates last: functions of the author (rules, conditions, transformations) get the text, as from
 * class-transformer, which makes a Date only where `@Type(() => Date)` says so.
 */
function asksAuthor(plan: ClassPlan, seen = new Set<ClassPlan>()): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return plan.properties.some(
    ({ value, transform, lateChecks, presence }) =>
      transform !== undefined ||
      lateChecks.length > 0 ||
      presence.conditions.length > 0 ||
      classesIn(value).some((nested) => asksAuthor(nested, seen)),
  );
}

function classesIn({ nested, items, values, union }: ValuePlan): readonly ClassPlan[] {
  const held = [items, values, ...(union?.options ?? [])];
  return [...(nested ? [nested] : []), ...held.flatMap((plan) => (plan ? classesIn(plan) : []))];
}

/** Whether a value is such a text, or holds some. */
function isLate({ isLateDate, items, values }: ValuePlan): boolean {
  return isLateDate || items?.isLateDate === true || values?.isLateDate === true;
}

/** The value with its Dates, without changing it. What is no text of a date stays: a transformation has made it. */
function withDates(plan: ValuePlan, value: unknown): unknown {
  if (plan.isLateDate) return typeof value === 'string' && isDateText(value) ? readDateText(value) : value;
  const held = plan.items ?? plan.values;
  if (!held) return value;
  const make = (item: unknown): unknown => withDates(held, item);
  if (Array.isArray(value)) return value.map(make);
  if (value instanceof Set) return new Set([...(value as Set<unknown>)].map(make));
  const byName = ([name, member]: [unknown, unknown]): [unknown, unknown] => [name, make(member)];
  if (value instanceof Map) return new Map([...(value as Map<unknown, unknown>)].map(byName));
  const isRecord = isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
  return isRecord ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, make(member)])) : value;
}
