/** `@UseGuards` and `@UseInterceptors`: what runs before and around the methods of a class, or one of them. */
import type { Constructor } from '../container/provider';
import type { Interceptor } from '../context/interceptor';
import { addClassOrMemberFact, factKind } from '@sigil-mcp/base/facts';
import type { Guard } from '../context/guard';

/** A guard, or a guard class, which the container builds. */
export type GuardReference = Guard | Constructor<Guard>;

/** Guards of a class or a method. */
export const GUARDS = factKind<readonly GuardReference[]>('guards');

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

/**
 * Puts guards before every call, and makes them filter lists. Those of the class are called first, after those of the server.
 * @param guards called in this order; a class is built by the container
 * @example
 * ```@UseGuards(Roles('admin'))```
 */
export function UseGuards(...guards: readonly GuardReference[]): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void => addClassOrMemberFact(GUARDS, target, member, guards);
}
