/** The type of decorators for methods of a certain shape. */
import type { McpContext } from '../context/mcp-context';
import type { Infer } from '@sigil-mcp/schema';

/** A decorator for methods assignable to `H`; on another one it is a compiler error. */
export type MethodDecoratorOf<H> = <M extends H>(
  prototype: object,
  member: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * A method whose input is of this class or schema, and that returns `R`: what it takes must be what it is given. Nothing is said of
 * its parameters where nothing is known of the input.
 */
export type HandlerOf<I, R> = [I] extends [never]
  ? (...args: never[]) => R
  : unknown extends Infer<I>
    ? (...args: never[]) => R
    : ((input: Infer<I>, ...others: never[]) => R) | ((context: McpContext, input: Infer<I>, ...others: never[]) => R);
