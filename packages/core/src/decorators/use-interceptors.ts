/** `@UseInterceptors`: wraps the methods of a class, or one of them. */
import type { Constructor } from '../container/provider';
import type { Interceptor } from '../context/interceptor';
import { addClassOrMemberFact, factKind } from '@sigil-mcp/base/facts';

/** An interceptor, or an interceptor class, which the container builds. */
export type InterceptorReference = Interceptor | Constructor<Interceptor>;

/** Interceptors of a class or a method. */
export const INTERCEPTORS = factKind<readonly InterceptorReference[]>('interceptors');

/**
 * Wraps interceptors around calls; they run after the input was read. Those of the class are outside those of the method.
 * @param interceptors the first is the outermost; a class is built by the container
 * @example
 * ```@UseInterceptors(Cached)```
 */
export function UseInterceptors(
  ...interceptors: readonly InterceptorReference[]
): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void =>
    addClassOrMemberFact(INTERCEPTORS, target, member, interceptors);
}
