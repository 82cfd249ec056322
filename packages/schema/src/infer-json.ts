/** The TypeScript type of a JSON Schema, as far as the type of the schema allows: fully for a literal, otherwise `unknown`. */
import type { JsonSchema } from './value-plan';

declare const described: unique symbol;

/**
 * A JSON Schema whose type is given, because it is made at run time or says more than the compiler can follow.
 * @example const schema: JsonSchemaOf<Point> = JSON.parse(await readFile('point.schema.json', 'utf8'));
 */
export interface JsonSchemaOf<T> extends JsonSchema {
  /** Never there. */
  readonly [described]?: T;
}

/** The type that a JSON Schema describes; `unknown` where it says nothing, or is no literal. */
export type InferJson<S> = S extends { readonly const: infer Only }
  ? Only
  : S extends { readonly enum: readonly (infer One)[] }
    ? One
    : S extends { readonly anyOf: readonly (infer One)[] } | { readonly oneOf: readonly (infer One)[] }
      ? InferJson<One>
      : S extends { readonly type: infer Type }
        ? Type extends readonly (infer One)[]
          ? OfType<One, S>
          : OfType<Type, S>
        : unknown;

// Of `string` nothing is known but that it is the name of a type: the schema is no literal.
type OfType<Type, S> = string extends Type
  ? unknown
  : Type extends 'object'
    ? ObjectOf<S>
    : Type extends 'array'
      ? ItemsOf<S>
      : Type extends keyof Scalars
        ? Scalars[Type]
        : unknown;

interface Scalars {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type ItemsOf<S> = S extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? { readonly [Index in keyof Items]: InferJson<Items[Index]> }
  : S extends { readonly items: infer Item }
    ? InferJson<Item>[]
    : unknown[];

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? Flat<
      { [Name in Present<Properties, S>]: InferJson<Properties[Name]> } & {
        [Name in Exclude<keyof Properties, Present<Properties, S>>]?: InferJson<Properties[Name]>;
      }
    >
  : S extends { readonly additionalProperties: infer Value extends JsonSchema }
    ? Record<string, InferJson<Value>>
    : Record<string, unknown>;

/** The properties that a handler always finds: what is required, and what has a default. */
type Present<Properties, S> = Extract<
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | {
      [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown } ? Name : never;
    }[keyof Properties],
  keyof Properties
>;

type Flat<T> = { [Name in keyof T]: T[Name] };
