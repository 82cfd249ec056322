/** The read value of a property -> the result of its `@Transform`. */
import { isPromise, unawaited } from '@sigil-mcp/base';
import type { PropertyPlan } from '../value-plan';

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
export function transformRead({ transform }: PropertyPlan, read: unknown, object: object): Transformed | undefined {
  try {
    const made = transform?.(read, object);
    if (!isPromise(made)) return holdsNone(made) ? undefined : { made, isOther: !isSameType(read, made) };
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

function isSameType(one: unknown, other: unknown): boolean {
  if (typeOf(one) !== typeOf(other)) return false;
  if (!Array.isArray(one) || !Array.isArray(other)) return true;
  const types = new Set(one.map(typeOf));
  return other.every((item) => types.has(typeOf(item)));
}

/** A key that values of the same type share. */
function typeOf(value: unknown): unknown {
  if (value === null) return null;
  return typeof value === 'object' ? (Object.getPrototypeOf(value) ?? Object.prototype) : typeof value;
}
