/** The types of an entry's functions, derived from the schema of its input. */
import type { Infer, InferReturned } from '@sigil-mcp/schema';
import type { CompleteArgument } from '../members/data-base';
import type { Class } from '@sigil-mcp/base';

/**
 * The type of a handler's first parameter: undefined without an input. If the schema has no type for the compiler, the author declares
 * it as the type of the parameter.
 */
export type InputOf<I> = [I] extends [never] ? undefined : unknown extends Infer<I> ? never : Infer<I>;

/** The functions that complete arguments, by their names; those of a class may have other names on the wire, which are checked at start. */
export type CompletionsOf<I> = [I] extends [never]
  ? Readonly<Record<string, CompleteArgument>>
  : I extends Class
    ? Readonly<Record<string, CompleteArgument>>
    : unknown extends InferReturned<I>
      ? Readonly<Record<string, CompleteArgument>>
      : { readonly [Name in keyof InferReturned<I>]?: CompleteArgument };
