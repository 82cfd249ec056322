/** The type of decorators that stand on methods of a certain shape. */

/** A decorator for methods assignable to `H`; on another one it is a compiler error. */
export type MethodDecoratorOf<H> = <M extends H>(
  prototype: object,
  member: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** Any method. */
export type AnyHandler = (...args: never[]) => unknown;
