/** The read value of a property -> the result of its `@Transform`. */
import { isPromise, unawaited } from '@sigil-mcp/base';
import type { PropertyPlan } from '../value-plan';
import { isLate } from './late-dates';

/** The result of a transformation, and whether its type differs from that of its input. */
export interface Transformed {
  readonly made: unknown;
  readonly isOther: boolean;
}

/**
 * Transforms a read value.
 * @param object the sent object that holds the property
 * @returns undefined if the function throws, or returns a value that is not valid: NaN, an invalid Date, or a promise, which is not
 * awaited
 */
export function transformRead(
  { transform, value }: PropertyPlan,
  read: unknown,
  object: object,
): Transformed | undefined {
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
