/** `@RecordOf`: a property whose names are data. */
import { addMemberFact } from '../facts/facts';
import { records } from '../schema/dto-facts';
import { isClass } from '../values/class';
import type { ValueType } from './any-of';

/**
 * Makes a property of a DTO an object with any names, each of whose values is of one type; listed with
 * `additionalProperties`. Rules with `{ each: true }` hold for each value. On a property that the compiler knows to be a `Map`
 * the handler gets a Map.
 * @param type the type of each value: one of JavaScript's, a DTO class, or an arrow function that gives a class which is declared
 * further down; left out where rules with `{ each: true }` say it, or where the values may be anything
 * @example
 * ```@RecordOf(Number) @Min(0, { each: true }) copies!: Record<string, number>;```
 * @example
 * ```@RecordOf(() => Author) authors!: Record<string, Author>;```
 */
export function RecordOf(type?: ValueType | (() => ValueType)): PropertyDecorator {
  // A function that is no class gives one; its type says no more than that it can be called.
  const values = type !== undefined && isClass(type) ? (): unknown => type : (type as (() => unknown) | undefined);
  return (prototype, property) => addMemberFact(records, prototype, property, { values });
}
