/** What a function is given that answers the calls of an entry, by the schema of its input. */
import type { Infer, InferReturned } from '../schema/infer';
import type { CompleteArgument } from '../scanner/entry-data';
import type { Class } from '../values/class';

/**
 * The first parameter of a handler: undefined where there is no input. Of a schema that says nothing to the compiler the author says
 * it, by the type of the parameter.
 */
export type InputOf<I> = [I] extends [never] ? undefined : unknown extends Infer<I> ? never : Infer<I>;

/** What completes arguments, by their names: those of a class may have other names on the wire, which are checked at start. */
export type CompletionsOf<I> = [I] extends [never]
  ? Readonly<Record<string, CompleteArgument>>
  : I extends Class
    ? Readonly<Record<string, CompleteArgument>>
    : unknown extends InferReturned<I>
      ? Readonly<Record<string, CompleteArgument>>
      : { readonly [Name in keyof InferReturned<I>]?: CompleteArgument };
