/** The return value of a handler -> plain JSON data with the declared properties only. The value itself is not changed. */
import { types } from 'node:util';
import { isObject, type Class } from '@sigil-mcp/base';
import { toDateTime } from '../date-text';
import { findWrongKey, writeData } from '../plain/json-data';
import { shownClass, shownOf, withoutHidden, type ShownClass } from '../plain/shown-members';
import { acceptsNull } from '../read/accept-kinds';
import { compileAnyOf, compileTagged, oncePerClass, ownMember } from '../read/any-of';
import {
  compileValue,
  deepestLevel,
  noteFailure,
  noteTooDeep,
  pathOf,
  type FinishValue,
  type Location,
  type Mode,
  type ReadValue,
  type Traversal,
} from '../read/compile-value';
import { askLater } from '../read/late-checks';
import type { ClassPlan, PropertyPlan, Reading, UnionPlan, ValuePlan } from '../value-plan';

interface PropertyWriter extends PropertyPlan {
  readonly write: ReadValue;
  readonly acceptsNull: boolean;
  /** Functions of this name are inherited by all objects. */
  readonly inherited: boolean;
  readonly asksLater: boolean;
}

/** The mode that writes plain data. */
export function compileObjectWriter(): Mode {
  return {
    prepare: ({ items, values }) => (items ? (value) => toArray(toJson(value)) : values ? toMembers : toJson),
    object: oncePerClass(compileObject),
    union: (plan, union, mode) =>
      union.discriminator === undefined
        ? compileAnyOf(plan, union, mode, suitsOutput)
        : compileTagged(union, union.discriminator, mode, (value, property) => nameInOutput(union, value, property)),
    makesCollections: false,
    leaf: ({ kinds, declared }) => {
      if (kinds === undefined || kinds.has('object') || kinds.has('array')) return freeWriter(declared);
      return kinds.has('date') ? writeDate : undefined;
    },
    checksFinished: true,
    defersDates: false,
    isForm: false,
  };
}

/** As `JSON.stringify` does it: a Date becomes its text, an entity of an ORM its data. */
export function toJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  // Their JSON would be bytes, one by one, or null: where they are written it is said what they are.
  if (ArrayBuffer.isView(value) || (types.isDate(value) && Number.isNaN(value.getTime()))) return value;
  if (typeof value.toJSON !== 'function') return value;
  return withoutHidden((value.toJSON as () => unknown)(), shownOf(Object.getPrototypeOf(value) as object));
}

function toArray(value: unknown): unknown {
  return value instanceof Set ? [...(value as Set<unknown>)] : value;
}

/** The names of a Map become texts, as those of an object are. */
function toMembers(given: unknown): unknown {
  const value = toJson(given);
  if (!isMap(value) || findWrongKey(value) !== undefined) return value;
  return Object.fromEntries([...value].map(([name, member]) => [String(name), member]));
}

function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map;
}

/** A whole day is a date-time, as it is listed: clients check the format. */
const writeDate: FinishValue = (value) => (typeof value === 'string' ? toDateTime(value) : value);

/** As data without a class is written, but for what the class keeps back that it is declared as. */
function freeWriter(declared: Class | undefined): FinishValue {
  const shown = declared && shownClass(declared);
  return (value, parent, key, traversal) => {
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    try {
      const reading = writeData(value, shown);
      if (reading.ok) return reading.data;
      const { path, what } = reading.unwritable;
      const place = path.reduce<Location>((above, step) => ({ parent: above, key: step }), { parent, key });
      return noteFailure(traversal, place, `is ${what}, which JSON cannot say`);
    } catch {
      return noteFailure(traversal, { parent, key }, 'cannot be read: one of its getters or its toJSON threw');
    }
  };
}

function compileObject(plan: ClassPlan, mode: Mode): ReadValue {
  const { tag } = plan;
  const declaredPrototype = plan.dto.prototype as unknown;
  const declared = plan.properties.filter(({ wireName }) => wireName !== tag?.property);
  const properties = declared.map((property) => compileProperty(property, mode));
  const later = properties.filter(({ asksLater }) => asksLater);
  return (value, parent, key, traversal) => {
    const location = { parent, key };
    if (!isObject(value)) return noteFailure(traversal, location, 'must be an object');
    if (traversal.depth >= deepestLevel) return noteTooDeep(traversal, location);
    const written: Record<string, unknown> = tag ? { [tag.property]: tag.value } : {};
    traversal.depth += 1;
    const prototype = Object.getPrototypeOf(value) as object | null;
    const isPlain = prototype === Object.prototype || prototype === declaredPrototype;
    // What the class of an instance keeps back stays back where another class is declared, too.
    const shown = isPlain ? undefined : shownOf(prototype);
    const writing: ObjectWriting = { value, written, location, traversal, shown };
    for (const property of properties) writeProperty(property, writing);
    traversal.depth -= 1;
    if (later.length > 0) {
      const isGiven = (): boolean => true; // what is absent has no value here
      const isNull = ({ name }: PropertyWriter): boolean => value[name] === null;
      const finished = { object: written, location, traversal, named: 'wireName', isGiven, isNull } as const;
      traversal.later.push(() => askLater(later, finished));
    }
    return written;
  };
}

function compileProperty(property: PropertyPlan, mode: Mode): PropertyWriter {
  const { name, value, presence, lateChecks } = property;
  return {
    ...property,
    write: compileValue(value, mode),
    acceptsNull: acceptsNull(value),
    inherited: name in Object.prototype,
    asksLater: lateChecks.length > 0 || presence.conditions.length > 0,
  };
}

interface ObjectWriting {
  readonly value: Readonly<Record<string, unknown>>;
  readonly written: Record<string, unknown>;
  readonly location: Location;
  readonly traversal: Traversal;
  readonly shown: ShownClass | undefined;
}

function writeProperty(property: PropertyWriter, writing: ObjectWriting): void {
  const { value, written, location, traversal, shown } = writing;
  const { name, wireName, presence, transform } = property;
  const isHeld = !(property.inherited && !Object.hasOwn(value, name)) && shown?.hides(name) !== true;
  const held = isHeld ? value[name] : undefined;
  const given = transform && held !== undefined ? transform(held, value) : held;
  if (given === undefined || (given === null && presence.required !== 'always' && !property.acceptsNull)) {
    if (presence.required === 'always')
      noteFailure(traversal, { parent: location, key: wireName }, presence.missingMessage);
    return;
  }
  written[wireName] = property.write(given, location, wireName, traversal);
}

/** Instances of a class suit it best, then objects of which nothing would be left out. */
function suitsOutput({ nested }: ValuePlan, value: unknown): number {
  if (!nested || !isObject(value)) return 0;
  if (value instanceof nested.dto) return Object.getPrototypeOf(value) === nested.dto.prototype ? 3 : 2;
  const names = new Set(nested.properties.map(({ name }) => name));
  return Object.keys(value).every((name) => names.has(name)) ? 1 : 0;
}

/** The name by which a discriminator knows a value: what it says itself, else what its class is called. */
function nameInOutput({ options }: UnionPlan, value: Readonly<Record<string, unknown>>, property: string): unknown {
  const said = ownMember(value, property);
  if (said !== undefined) return said;
  const classes = options.flatMap(({ nested }) => (nested ? [nested] : []));
  const found =
    classes.find(({ dto }) => Object.getPrototypeOf(value) === dto.prototype) ??
    classes.find(({ dto }) => value instanceof dto);
  return found?.tag?.value;
}

// A return value that a foreign schema accepted -> plain JSON data, or the place of a value that JSON cannot represent.

/** A copy of a value that holds nothing but what JSON can say. */
export function readData(value: unknown): Reading<unknown> {
  const written = writeData(value);
  if (written.ok) return { ok: true, value: written.data };
  const { path, what } = written.unwritable;
  return { ok: false, failures: [{ path: pathOfKeys(path), message: `is ${what}, which JSON cannot say` }] };
}

/** The path of a part, from the names and positions that lead to it: `stops[2].city`. */
export function pathOfKeys(keys: readonly (string | number)[]): string {
  return pathOf(keys.reduce<Location>((parent, key) => ({ parent, key }), { parent: undefined, key: '' }));
}
