/**
 * The contract between the schema room and the pipeline: a shape was compiled at start-up, from a DTO class or from a raw
 * JSON Schema, and reads or writes values in every call.
 */
import type { DefinitionProblem, Failure, FormSchema } from '@sigil-mcp/base';
import type { JsonSchema } from './json-schema';

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
