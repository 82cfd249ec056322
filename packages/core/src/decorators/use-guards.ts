/** `@UseGuards`: decides who may see and call the entries of a class or a method. */
import type { Constructor } from '../container/provider';
import type { Guard } from '../context/guard';
import { addClassOrMemberFact, factKind } from '@sigil-mcp/base/facts';

/** A guard, or a guard class, which the container builds. */
export type GuardReference = Guard | Constructor<Guard>;

/** Guards of a class or a method. */
export const GUARDS = factKind<readonly GuardReference[]>('guards');

/**
 * Puts guards before every call, and makes them filter lists. Those of the class are called first, after those of the server.
 * @param guards called in this order; a class is built by the container
 * @example
 * ```@UseGuards(Roles('admin'))```
 */
export function UseGuards(...guards: readonly GuardReference[]): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void => addClassOrMemberFact(GUARDS, target, member, guards);
}
