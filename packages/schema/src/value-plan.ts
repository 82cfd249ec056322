/**
 * The plan of a DTO, made from its decorators: plain data from which both the listed JSON Schema and the reader are made, so that the two
 * cannot disagree.
 */
import type { Class, DefinitionProblem, Failure, FormSchema } from '@sigil-mcp/base';
import type { TransformValue } from './plain/transformer-storage';

/** The JSON types, and `date`: a string on the wire, a `Date` in the instance. */
export type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null' | 'date';

/** A rule about one value on the wire; it needs nothing but the value. */
export interface Check {
  readonly name: string;
  accepts(value: unknown): boolean;
  /** The same in the answer to a form, if the form is less strict: all that the form allows is accepted. Left out if they agree. */
  readonly acceptsInForm?: (value: unknown) => boolean;
  /** The format that a form publishes for it, if any. */
  readonly formFormat?: string;
  message(value: unknown): string;
}

/** A rule about a property of a finished instance: custom validators, and rules with a condition. */
export interface LateCheck {
  readonly name: string;
  readonly each: boolean;
  /** It was checked for the sent value, and is checked again for the result of a transformation, if both are of one type. */
  readonly again: boolean;
  applies(object: object, value: unknown): boolean;
  accepts(object: object, value: unknown): boolean | Promise<boolean>;
  message(object: object, value: unknown): string;
}

/** One value: a property, or an array item. */
export interface ValuePlan {
  /** The accepted types; undefined accepts every JSON value. */
  readonly kinds: ReadonlySet<Kind> | undefined;
  /** The text of a Date that no `@Type` names: it becomes one after the author's functions. */
  readonly isLateDate: boolean;
  /** Numbers are whole. */
  readonly integer: boolean;
  /** `@Nullable()`: null is accepted before all other checks. */
  readonly nullable: boolean;
  /** The only accepted values, if the rules list them. */
  readonly allowed: readonly unknown[] | undefined;
  /** Keywords with the same meaning as the checks. */
  readonly keywords: JsonSchema;
  /** Which texts it accepts, where no format says it; undefined if nothing is to be said. */
  readonly words: string | undefined;
  checks(): readonly Check[];
  /** The author's message for a value of the wrong type. */
  readonly typeMessage: ((value: unknown) => string) | undefined;
  readonly nested: ClassPlan | undefined;
  /** Its declared class, if that has no rules; members that this class hides stay hidden anyway. */
  readonly declared: Class | undefined;
  /** The plan of array items. */
  readonly items: ValuePlan | undefined;
  /** The plan of the values of an object whose names are data. */
  readonly values: ValuePlan | undefined;
  /** The collection that the handler receives instead of the array or the object, if any. */
  readonly made: 'Set' | 'Map' | undefined;
  readonly union: UnionPlan | undefined;
  /** Names of the constraints that accept less than the listed schema. */
  readonly stricter: readonly string[];
}

/** A value of one of several types. */
export interface UnionPlan {
  readonly options: readonly ValuePlan[];
  /** The property on the wire that names the option, which is a class with a tag; undefined if the first option that fits is used. */
  readonly discriminator: string | undefined;
}

/** The name of a class among those that a discriminator chooses from. */
export interface Tag {
  /** The property on the wire. */
  readonly property: string;
  readonly value: string;
  /** The instance has the property, even if the class does not declare it. */
  readonly kept: boolean;
}

/** One declared property. */
export interface PropertyPlan {
  /** The name in the class. */
  readonly name: string;
  /** The name on the wire; different with `@Expose({ name })`. */
  readonly wireName: string;
  readonly description: string | undefined;
  readonly value: ValuePlan;
  /** Keywords that other decorators add to the listing. */
  readonly extraKeywords: JsonSchema;
  readonly presence: Presence;
  readonly lateChecks: readonly LateCheck[];
  /** `@Transform`, composed. */
  readonly transform: TransformValue | undefined;
}

/** Whether a property is required, and the rules for an absent one. */
export interface Presence {
  /** Whether it must be sent: `conditionally` means if all its conditions hold. Only `always` can be listed. */
  readonly required: 'always' | 'conditionally' | 'never';
  readonly missingMessage: string;
  /** `@ValidateIf`: its late checks run only if all of these hold. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  /** One of the conditions is false for null, so null is accepted unless they all hold. */
  readonly nullByCondition: boolean;
  /** `@IsOptional`: null is not checked. */
  readonly optional: boolean;
  /** Whether the class initialises it with a value that its own rules accept; late checks run for that, too. */
  readonly hasDefault: boolean;
  /** The default in JSON, if it is always the same. */
  readonly listedDefault: { readonly json: unknown } | undefined;
  /** The constructor defines the member without a default: it is removed from an instance if no value was sent. */
  readonly takenOff: boolean;
}

/** A DTO class. `properties` is filled after nested classes were planned, because a class may contain itself. */
export interface ClassPlan {
  readonly dto: Class;
  readonly description: string | undefined;
  readonly construct: () => object;
  /** Undefined unless a discriminator chooses the class. */
  readonly tag: Tag | undefined;
  properties: readonly PropertyPlan[];
}

// The contract between the schema room and the pipeline: a shape was compiled at start-up, from a DTO class or from a raw
// JSON Schema, and reads or writes values in every call.

/** A value that was accepted and made, or every reason why not. */
export type Reading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failures: readonly Failure[] };

/** Reads what a client sent. A promise only where a validator answered with one. */
export interface InputShape<T = unknown> {
  /** What is listed: JSON Schema 2020-12. */
  readonly schema: JsonSchema;
  /** Where `read` refuses more than the schema says, as `path: constraint`; formats and custom validators mostly. */
  readonly stricter?: readonly string[];
  /** The ways to values that are not recorded; those of the schema if left out. */
  readonly sensitive?: readonly (readonly string[])[];
  /** What of the class says too little: it works, but a model is not told what to send or what it gets. */
  readonly vague?: readonly DefinitionProblem[];
  /** Parsed JSON (or a record of strings where the shape was compiled for them) -> a validated instance. Never throws for bad values. */
  read(value: unknown): Reading<T> | Promise<Reading<T>>;
}

/** Writes what a handler returned. */
export interface OutputShape {
  /** What is listed: JSON Schema 2020-12. */
  readonly schema: JsonSchema;
  /** Where `write` refuses more than the schema says, as `path: constraint`. */
  readonly stricter?: readonly string[];
  /** The ways to values that are not recorded; those of the schema if left out. */
  readonly sensitive?: readonly (readonly string[])[];
  /** What of the class says too little: it works, but a model is not told what to send or what it gets. */
  readonly vague?: readonly DefinitionProblem[];
  /** A handler's return value -> plain JSON data with the declared fields only, validated. Never throws for bad values. */
  write(value: unknown): Reading<unknown> | Promise<Reading<unknown>>;
}

/** Asks for what a user fills in, and reads the answer. */
export interface FormShape<T = unknown> {
  /** What the client shows: the flat part of JSON Schema. */
  readonly schema: FormSchema;
  /** The content of an accepted answer -> a validated value. Never throws for bad content. */
  read(content: unknown): Reading<T> | Promise<Reading<T>>;
}

// JSON Schema 2020-12 as this framework writes it and passes it through.

/** A JSON Schema object; an author-supplied one may hold any keyword. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
