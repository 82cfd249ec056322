/** The metadata that decorators of Nest and the compiler write: the only place of this package that touches it. */
import { randomUUID } from 'node:crypto';
import 'reflect-metadata';
import type { Token } from '@sigil-mcp/core';

/** One decorator of a parameter, as Nest writes it. */
export interface DescribedParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: unknown;
  readonly pipes?: readonly unknown[];
}

/** By a key with the kind of the parameter and its position: `3:0`. */
export type DescribedParameters = Readonly<Record<string, DescribedParameter>>;

/** Where the parameters of a call are written, for Nest to read. */
export const PARAMETERS = 'sigil:parameters';

/** The parameters of a method that decorators of Nest describe, for routes and for microservices. */
export function parametersOf(feature: object, member: string): DescribedParameters {
  // Only decorators of Nest write under this key.
  return (Reflect.getMetadata('__routeArguments__', feature, member) ?? {}) as DescribedParameters;
}

/**
 * Gives a class an id of its own, as Nest gives it to controllers. Nest 10 and 11 remember the parameters of methods under it, and otherwise
 * under the name of the class, which classes of other modules may have, too.
 */
export function identifyClass(feature: object): void {
  if (Object.hasOwn(feature, CLASS_ID)) return;
  Object.defineProperty(feature, CLASS_ID, { value: randomUUID(), configurable: true });
}

const CLASS_ID = 'CONTROLLER_ID';

/** Writes the parameters of a call where `ExternalContextCreator` finds them. */
export function writeParameters(feature: object, member: string, parameters: DescribedParameters): void {
  Reflect.defineMetadata(PARAMETERS, parameters, feature, member);
}

/** Whether a class or a method has exception filters. */
export function hasOwnFilters(target: object): boolean {
  return Reflect.hasMetadata('__exceptionFilters__', target);
}

/** The types that the compiler has emitted for the parameters of a constructor. */
export function constructorTypes(target: object): readonly Token[] {
  return (Reflect.getMetadata('design:paramtypes', target) ?? []) as readonly Token[];
}
