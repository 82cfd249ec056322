/** The TypeScript types of a schema: the input of a handler, and its return type. */
import type { Class } from '@sigil-mcp/base';
import type { JsonSchema } from './json-schema';
import type { InferJson, JsonSchemaOf } from './infer-json';
import type { StandardSchema } from './standard-schema';

/** A description of the shape of a value: a DTO class, a schema of another library, or a JSON Schema. */
export type SchemaSource = Class | StandardSchema | JsonSchema;

/** A description of a form: a DTO class, or a schema of another library. */
export type FormSource = Class | StandardSchema;

/**
 * What a handler is given that has this input: an instance of the class, what the schema makes of the arguments, the data that the
 * JSON Schema describes, with its defaults. `unknown` for a JSON Schema of which the compiler knows nothing.
 * @example
 * const Point = z.object({ x: z.number(), y: z.number().default(0) });
 * type Point = Infer<typeof Point>; // { x: number; y: number }
 */
export type Infer<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? MemberOf<Types, 'output'>
  : InferOwn<S>;

/** What a handler may return that has this output: an instance of the class, what the schema validates, the data of a JSON Schema. */
export type InferReturned<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? MemberOf<Types, 'input'>
  : InferOwn<S>;

type MemberOf<Types, Side extends 'input' | 'output'> =
  NonNullable<Types> extends { readonly [Name in Side]: infer Value } ? Value : unknown;

type InferOwn<S> =
  S extends Class<infer Instance>
    ? Instance
    : S extends JsonSchemaOf<infer Given>
      ? unknown extends Given
        ? InferJson<S>
        : Given
      : undefined;
