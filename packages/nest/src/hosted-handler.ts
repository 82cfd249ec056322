/** A handler on its instance: what Nest composes something around. */
import type { ApplicationConfig, ContextId, ExternalContextCreator } from '@nestjs/core';
import type { Constructor } from '@sigil-mcp/core';
import { inheritMetadata } from './nest-metadata';

/** A method, or another function that Nest calls. */
export type HandlerFunction = (...args: unknown[]) => unknown;

/** What is composed around handlers of one application. */
export interface NestAround {
  readonly creator: ExternalContextCreator;
  readonly config: ApplicationConfig;
}

/** The class that enhancers of Nest see as that of entries which are functions, and the provider that stands for them. */
export class EntryFunctions {}

/** The method of a class, or a function, and the instance that it is composed for. */
export interface HostedHandler {
  readonly feature: Constructor;
  /** The name of the method, or one for functions like this one: under it Nest keeps what it knows of parameters. */
  readonly member: string;
  /** Undefined for a method. */
  readonly run: HandlerFunction | undefined;
  readonly instance: object;
  /** The context of its instance; undefined for an instance that serves all calls. */
  readonly contextId: ContextId | undefined;
  /** The name under which Nest knows the provider. */
  readonly hostId: string;
}

/** The function that is called in the end. */
export function methodOf({
  feature,
  member,
  run,
  instance,
}: Omit<HostedHandler, 'contextId' | 'hostId'>): HandlerFunction {
  // The scanner found the method on the class.
  return (
    run ?? ((Reflect.get(instance, member) ?? Reflect.get(feature.prototype as object, member)) as HandlerFunction)
  );
}

/**
 * A function that Nest calls in place of a handler: it has the name of the handler, and all metadata that decorators wrote on it and on the
 * methods that it overrides.
 */
export function standIn(
  handler: Pick<HostedHandler, 'feature' | 'member' | 'run'>,
  method: HandlerFunction,
  run: HandlerFunction,
): HandlerFunction {
  const stand: HandlerFunction = (...args) => run(...args);
  Object.setPrototypeOf(stand, method);
  if (!handler.run) {
    const declared = classesOf(handler.feature).flatMap((each) => ownMethod(each, handler.member));
    inheritMetadata(
      stand,
      declared.filter((each) => each !== method),
    );
  }
  return Object.defineProperty(stand, 'name', { value: method.name });
}

/** A class and its base classes. */
function classesOf(feature: Constructor): readonly Constructor[] {
  const base: unknown = Object.getPrototypeOf(feature);
  return typeof base === 'function' && base !== Function.prototype
    ? [feature, ...classesOf(base as Constructor)]
    : [feature];
}

function ownMethod({ prototype }: Constructor, member: string): readonly HandlerFunction[] {
  const found: unknown = Object.getOwnPropertyDescriptor(prototype as object, member)?.value;
  return typeof found === 'function' ? [found as HandlerFunction] : [];
}

/** The name of a handler in messages. */
export function nameOf({ feature, member, run }: Pick<HostedHandler, 'feature' | 'member' | 'run'>): string {
  return run ? `the function ${run.name}` : `${feature.name}.${member}`;
}
