/** `@AnyOf`: a property of several types. */
import { addMemberFact } from '@sigil-mcp/base/facts';
import { unions } from '../dto-facts';
import { OPTION_RULES, isClass, requireOptions, type Class } from '@sigil-mcp/base';

/** The type of a value: one of JavaScript's, or a DTO class. */
export type ValueType = StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor | Class;

/**
 * Lets a property of a DTO have several types, listed as `anyOf`. The first type that accepts a value reads it; an instance that a handler
 * returns is written as its own class. Other rules of the property apply to their own types only. Not for prompt arguments and URI
 * variables.
 * @param members the types
 * @example
 * ```@AnyOf(String, Number) @MaxLength(10) @Min(1) platform!: string | number;```
 */
export function AnyOf(...members: readonly ValueType[]): PropertyDecorator;
/**
 * The same for a class that is declared further down, and for the values of a collection.
 * @param members an arrow function that returns the types
 * @throws DefinitionError for options that do not exist
 * @param options with `each`, the types are those of the items of an array or a Set, or of the values of a Map or a record
 * @example
 * ```@AnyOf(() => [City, Coordinates], { each: true }) via!: (City | Coordinates)[];```
 */
export function AnyOf(members: () => readonly ValueType[], options?: { readonly each?: boolean }): PropertyDecorator;
export function AnyOf(...given: readonly unknown[]): PropertyDecorator {
  const [first, second] = given;
  const isList = typeof first === 'function' && !isClass(first);
  // By the overloads, a function that is not a class returns the types.
  const members = isList ? (first as () => readonly unknown[]) : () => given;
  if (isList && second !== undefined) requireOptions('AnyOf', second, { each: OPTION_RULES.flag });
  const each = isList && typeof second === 'object' && second !== null && 'each' in second && second.each === true;
  return (prototype, property) => addMemberFact(unions, prototype, property, { members, each });
}
