/** A value whose class is named by one of its properties: only that class reads it, and only its failures are reported. */
import { isObject, shorten } from '@sigil-mcp/base';
import type { UnionPlan, ValuePlan, ClassPlan } from '../value-plan';
import { compileValue, type Mode, type ReadValue } from './compile-value';
import { noteFailure } from './traversal';

/** The name in the discriminator property; undefined if it is missing. */
export type NameOf = (value: Readonly<Record<string, unknown>>, property: string) => unknown;

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
