/** The metadata that decorators of Nest and the compiler write: the only place of this package that touches it. */
import { randomUUID } from 'node:crypto';
import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { isObject } from '@sigil-mcp/base';
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

/** What Nest knows of a provider before it is built. */
interface UnbuiltProvider {
  /** The class, or the factory; null for a value. */
  readonly metatype: unknown;
  /** What a factory is called with. */
  readonly inject?: readonly unknown[] | null | undefined;
}

/** Whether Nest needs what a token stands for to build a provider; what is optional it builds without. */
export function isBuiltWith({ metatype, inject }: UnbuiltProvider, token: unknown): boolean {
  if (inject)
    return inject.some((each) => each === token || (isObject(each) && each['token'] === token && !each['optional']));
  if (typeof metatype !== 'function') return false;
  const parameters: unknown[] = [...constructorTypes(metatype)];
  for (const { index, param } of listOf('self:paramtypes', metatype) as { index: number; param: unknown }[])
    parameters[index] = param;
  const optional = listOf('optional:paramtypes', metatype);
  if (parameters.some((each, index) => each === token && !optional.includes(index))) return true;
  const without = listOf('optional:properties_metadata', metatype);
  const properties = listOf('self:properties_metadata', metatype) as { key: unknown; type: unknown }[];
  return properties.some(({ key, type }) => type === token && !without.includes(key));
}

const GUARDS = '__guards__';
const PIPES = '__pipes__';
/** The decorators under whose keys Nest finds enhancers. */
const ENHANCERS: Readonly<Record<string, string>> = {
  [GUARDS]: '@UseGuards',
  __interceptors__: '@UseInterceptors',
  [PIPES]: '@UsePipes',
  __exceptionFilters__: '@UseFilters',
};

/** An enhancer that a decorator names by its class, which Nest has to build. */
export interface NamedEnhancer {
  readonly decorator: string;
  readonly type: Type;
}

/** The enhancers that decorators of a class or a method name by their classes. */
export function namedEnhancers(target: object): readonly NamedEnhancer[] {
  return Object.entries(ENHANCERS).flatMap(([key, decorator]) =>
    listOf(key, target).flatMap((type) => (typeof type === 'function' ? [{ decorator, type: type as Type }] : [])),
  );
}

/** The pipes that decorators of the parameters of a method name by their classes. */
export function namedPipes(feature: object, member: string): readonly NamedEnhancer[] {
  const pipes = Object.values(parametersOf(feature, member)).flatMap(({ pipes: own = [] }) => own);
  return pipes.flatMap((type) =>
    typeof type === 'function' ? [{ decorator: 'a parameter with', type: type as Type }] : [],
  );
}

/** The pipes that decorators of a class or a method name. */
export function pipesOf(target: object): readonly unknown[] {
  return listOf(PIPES, target);
}

/** Whether decorators of a class or a method name a guard. */
export function hasGuards(target: object): boolean {
  return listOf(GUARDS, target).length > 0;
}

/**
 * Gives a function the metadata that methods have which its method overrides, the nearest first: Nest writes metadata on functions, so a
 * method that overrides another one has none of it. Its own counts first; guards are added to, and never taken away.
 */
export function inheritMetadata(target: object, overridden: readonly object[]): void {
  for (const method of overridden)
    for (const key of Reflect.getMetadataKeys(method) as unknown[])
      if (!Reflect.hasMetadata(key, target)) Reflect.defineMetadata(key, Reflect.getMetadata(key, method), target);
  const guards = [...[...overridden].reverse(), target].flatMap((each) => listOf(GUARDS, each));
  if (guards.length > 0) Reflect.defineMetadata(GUARDS, [...new Set(guards)], target);
}

function listOf(key: string, target: object): readonly unknown[] {
  const written: unknown = Reflect.getMetadata(key, target);
  return Array.isArray(written) ? written : [];
}
