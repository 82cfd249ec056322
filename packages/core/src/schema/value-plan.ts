/**
 * What the schema room knows about a DTO after reading its decorators: plain data from which both the listed JSON Schema
 * and the reader are made, so that the two cannot disagree.
 */
import type { Class } from '../values/class';
import type { TransformValue } from '../plain/transformer-storage';
import type { JsonSchema } from './json-schema';

/** The JSON types, and `date`: a string on the wire that is a `Date` in the instance. */
export type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null' | 'date';

/** A rule about one value as it stands on the wire; needs nothing but the value. */
export interface Check {
  readonly name: string;
  accepts(value: unknown): boolean;
  /** The same in an answer to a form, where the form says less: whatever it says is accepted. Left out where it says as much. */
  readonly acceptsInForm?: (value: unknown) => boolean;
  message(value: unknown): string;
}

/** A rule about a property of a finished instance: custom validators, and those that a condition switches off. */
export interface LateCheck {
  readonly name: string;
  readonly each: boolean;
  /** It was asked of what was sent, and is asked again of what a transformation made of that, where both are of one type. */
  readonly again: boolean;
  applies(object: object, value: unknown): boolean;
  accepts(object: object, value: unknown): boolean | Promise<boolean>;
  message(object: object, value: unknown): string;
}

/** One value: a property, or an item of an array. */
export interface ValuePlan {
  /** The accepted types; undefined accepts every JSON value. */
  readonly kinds: ReadonlySet<Kind> | undefined;
  /** Numbers are whole. */
  readonly integer: boolean;
  /** `@Nullable()`: null is accepted before anything else is asked. */
  readonly nullable: boolean;
  /** The only values accepted, where the rules name them. */
  readonly allowed: readonly unknown[] | undefined;
  /** Keywords that say the same as the checks. */
  readonly keywords: JsonSchema;
  checks(): readonly Check[];
  /** The author's words for a value of the wrong type. */
  readonly typeMessage: ((value: unknown) => string) | undefined;
  readonly nested: ClassPlan | undefined;
  /** The class that it is declared as, where that has no rules; what it keeps back stays back all the same. */
  readonly declared: Class | undefined;
  /** What an array holds. */
  readonly items: ValuePlan | undefined;
  /** What an object holds whose names are data. */
  readonly values: ValuePlan | undefined;
  /** What the handler gets of the array or the object, where that is another thing. */
  readonly made: 'Set' | 'Map' | undefined;
  readonly union: UnionPlan | undefined;
  /** Names of the constraints that accept less than the listed schema says. */
  readonly stricter: readonly string[];
}

/** A value that is of one of several types. */
export interface UnionPlan {
  readonly options: readonly ValuePlan[];
  /** The property on the wire that names the option, which is a class with a tag; undefined where the first that fits is taken. */
  readonly discriminator: string | undefined;
}

/** What a class is called among those that a discriminator chooses from. */
export interface Tag {
  /** The property on the wire. */
  readonly property: string;
  readonly value: string;
  /** The instance has it, also where the class does not declare it. */
  readonly kept: boolean;
}

/** One declared property. */
export interface PropertyPlan {
  /** The name in the class. */
  readonly name: string;
  /** The name on the wire; another one with `@Expose({ name })`. */
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

/** Whether a property must be there, and what stands in for one that is not. */
export interface Presence {
  /** Whether it must be sent: `conditionally` says where all its conditions hold. Only `always` can be listed. */
  readonly required: 'always' | 'conditionally' | 'never';
  readonly missingMessage: string;
  /** `@ValidateIf`: only where all of these hold are its late checks asked. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  /** One of the conditions lets null pass, so that it is a value wherever they do not all hold. */
  readonly nullByCondition: boolean;
  /** `@IsOptional`: nothing is asked of null. */
  readonly optional: boolean;
  /** Whether the class initialises it with a value that its own rules accept; late checks are asked of that, too. */
  readonly hasDefault: boolean;
  /** The default in JSON, where it is always the same. */
  readonly listedDefault: { readonly json: unknown } | undefined;
  /** The constructor makes it a member without a default: it is taken off an instance that was sent no value for it. */
  readonly takenOff: boolean;
}

/** A DTO class. `properties` is filled after nested classes were planned, because a class may contain itself. */
export interface ClassPlan {
  readonly dto: Class;
  readonly description: string | undefined;
  readonly construct: () => object;
  /** Undefined but for what a discriminator chooses. */
  readonly tag: Tag | undefined;
  properties: readonly PropertyPlan[];
}
