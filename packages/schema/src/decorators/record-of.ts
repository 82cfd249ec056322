/** `@RecordOf`: a property whose names are data. */
import { addMemberFact } from '@sigil-mcp/base/facts';
import { records } from '../dto-facts';
import { isClass } from '@sigil-mcp/base';
import type { ValueType } from './any-of';

/**
 * Makes a property of a DTO an object with any names, whose values all have one type; listed with `additionalProperties`. Rules with
 * `{ each: true }` apply to each value. If the compiler emits the type `Map` for the property, the handler gets a Map.
 * @param type the type of each value: one of JavaScript's, a DTO class, or an arrow function that returns a class which is declared
 * further down; left out if rules with `{ each: true }` define it, or if values may be anything
 * @example
 * ```@RecordOf(Number) @Min(0, { each: true }) copies!: Record<string, number>;```
 * @example
 * ```@RecordOf(() => Author) authors!: Record<string, Author>;```
 */
export function RecordOf(type?: ValueType | (() => ValueType)): PropertyDecorator {
  // A function that is not a class returns one; its type only declares that it can be called.
  const values = type !== undefined && isClass(type) ? (): unknown => type : (type as (() => unknown) | undefined);
  return (prototype, property) => addMemberFact(records, prototype, property, { values });
}
