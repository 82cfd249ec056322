/**
 * Schemas of other libraries, by their structure alone: what validates as Standard Schema says, and writes its JSON Schema as
 * Standard JSON Schema says. Zod, arktype and valibot (through its converter) do both.
 *
 * @see https://standardschema.dev
 */
import type { JsonSchema } from './value-plan';

/** One thing that a library found wrong. */
export interface StandardIssue {
  readonly message: string;
  /** From the whole value to the part; plain keys, or keys in objects. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The value as the schema makes it, or what is wrong with it. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** What a schema is asked to write itself in. */
export interface StandardTarget {
  readonly target: 'draft-2020-12' | 'draft-07';
}

/**
 * A schema that validates values and can write itself as JSON Schema.
 * @example const Point: StandardSchema = z.object({ x: z.number(), y: z.number() });
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the specification prescribes. */
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: {
      /** The schema of what is validated. */
      readonly input: (target: StandardTarget) => JsonSchema;
      /** The schema of what comes out. */
      readonly output: (target: StandardTarget) => JsonSchema;
    };
    /** Never there: the compiler reads both types from it. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Whether a value says that it is a Standard Schema; whether it can write JSON Schema is seen where it is compiled. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  // A schema of arktype is a function.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = '~standard' in value ? value['~standard'] : undefined;
  return typeof standard === 'object' && standard !== null;
}
