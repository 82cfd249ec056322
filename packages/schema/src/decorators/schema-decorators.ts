/** The decorators for DTOs that class-validator does not have: labels, descriptions, other types, and what is sensitive. */
import { valueTitles, listedKeywords, unions, records, descriptions, nullables, sensitives } from '../dto-facts';
import { addMemberFact, addClassFact } from '@sigil-mcp/base/facts';
import type { JsonSchema } from '../value-plan';
import { OPTION_RULES, isClass, requireOptions, type Class } from '@sigil-mcp/base';

/**
 * Exactly `T`, but without a class in the emitted metadata. For a property of a class declared further down, or of its
 * own class; `@Type` then names the class. Import it with `import type`.
 *
 * @example
 * ```class Category { @IsOptional() @ValidateNested() @Type(() => Category) parent?: Ref<Category>; }```
 */
export type Ref<T> = T;

/** Decorates a class or a property. */
export type DescribeDecorator = (target: object, property?: string | symbol) => void;

/** The type of a value: one of JavaScript's, or a DTO class. */
export type ValueType = StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor | Class;

/**
 * Gives a property of a DTO a label for people: the caption of a field of a form, listed as `title` in JSON Schema.
 *
 * @example
 * ```class Contact { @Title('Your name') @IsString() name!: string; }```
 */
export function Title(text: string): PropertyDecorator {
  return listKeywords('@Title', { title: text });
}

/**
 * Gives each value of an enum of strings (or of an array of them) a label for people, which a form shows instead of the value.
 * Every value needs one. If the class is the input of a tool, the labels are not listed.
 *
 * @example
 * ```class Order { @ValueTitles({ s: 'Small', l: 'Large' }) @IsIn(['s', 'l']) size!: string; }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function ValueTitles(titles: Readonly<Record<string, string>>): PropertyDecorator {
  return (prototype, property) => addMemberFact(valueTitles, prototype, property, titles);
}

/**
 * Adds keywords to the listed schema of a property as they are. They do not take part in validation.
 * @param decorator the name of the decorator that is made with it, for messages: `@Unit`
 * @example
 * ```const Unit = (unit: string) => listKeywords('@Unit', { 'x-unit': unit });```
 */
export function listKeywords(decorator: string, keywords: JsonSchema): PropertyDecorator {
  return (prototype, property) => addMemberFact(listedKeywords, prototype, property, { decorator, keywords });
}

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

/**
 * Describes a property of a DTO (or the DTO itself) for the model; listed as `description` in its JSON Schema.
 *
 * @example
 * ```class ForecastQuery { @Describe('City name, for example "Oslo"') @IsString() city!: string; }```
 */
export function Describe(text: string): DescribeDecorator {
  return (target, property) => {
    if (property !== undefined) addMemberFact(descriptions, target, property, text);
    // Without a property the decorator stands on a class, so the target is its constructor.
    else addClassFact(descriptions, target as Class, text);
  };
}

/**
 * Lets a property of a DTO be `null`, next to what its other decorators accept. The value stays `null` in the instance.
 *
 * @example
 * ```class Person { @Nullable() @IsString() nickname!: string | null; }```
 */
export function Nullable(): PropertyDecorator {
  return (prototype, property) => addMemberFact(nullables, prototype, property, true);
}

/**
 * Marks a property of a DTO whose value is never recorded: traces, audits and the tools for development show `[sensitive]` in its place, of
 * arguments as of results. Handlers and clients receive the value. A form must not ask for it.
 *
 * @example
 * ```class Login { @IsString() user!: string; @Sensitive() @IsString() password!: string; }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#security-considerations
 */
export function Sensitive(): PropertyDecorator {
  return (prototype, property) => addMemberFact(sensitives, prototype, property, true);
}
