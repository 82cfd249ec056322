/** What was read of a property -> what its `@Transform` makes of it. */
import { isPromise, unawaited } from '../../values/maybe-promise';
import type { PropertyPlan } from '../value-plan';

/** What a transformation made, and whether that is another type of value than what it got. */
export interface Transformed {
  readonly made: unknown;
  readonly isOther: boolean;
}

/**
 * Transforms what was read.
 * @param object what was sent, in which the property stands
 * @returns undefined where the function throws, or makes no value of the type that it should: NaN, a Date of no day, a promise,
 * for which nobody waits
 */
export function transformRead({ transform }: PropertyPlan, read: unknown, object: object): Transformed | undefined {
  try {
    const made = transform?.(read, object);
    if (!isPromise(made)) return holdsNone(made) ? undefined : { made, isOther: !isSameType(read, made) };
    unawaited(made);
  } catch {
    // The author's function met a value that it was not written for: the client's mistake, as far as anybody can tell.
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

/** What values of one type share. */
function typeOf(value: unknown): unknown {
  if (value === null) return null;
  return typeof value === 'object' ? (Object.getPrototypeOf(value) ?? Object.prototype) : typeof value;
}
