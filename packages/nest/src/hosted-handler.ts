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
  /** The name under which Nest knows its module. */
  readonly moduleKey: string;
}

/**
 * The composer of Nest for one handler. Nest looks for the module of a class among providers: it does not find controllers, and in older
 * versions takes the first module of several. Enhancers that it does not find in the module are left out.
 */
export function creatorFor({ creator }: NestAround, { moduleKey }: HostedHandler): ExternalContextCreator {
  const find = (): string => moduleKey;
  // One of them is asked, by version.
  return Object.assign(Object.create(creator) as ExternalContextCreator, {
    getContextModuleKey: find,
    getHostModuleKey: find,
  });
}

/**
 * What Nest reads the class and its metadata from: the instance, or an object of the class of the feature where a factory has returned
 * something else. The handler is called on the instance.
 */
export function hostObject({ instance, feature }: Pick<HostedHandler, 'instance' | 'feature'>): object {
  return instance instanceof feature ? instance : (Object.create(feature.prototype as object) as object);
}

/** The function that is called in the end. */
export function methodOf({
  feature,
  member,
  run,
  instance,
}: Omit<HostedHandler, 'contextId' | 'hostId' | 'moduleKey'>): HandlerFunction {
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
  handler: Pick<HostedHandler, 'feature' | 'member' | 'run' | 'instance'>,
  method: HandlerFunction,
  run: HandlerFunction,
): HandlerFunction {
  const stand: HandlerFunction = (...args) => run(...args);
  Object.setPrototypeOf(stand, method);
  if (!handler.run) {
    const declared = prototypesOf(hostObject(handler)).flatMap((each) => ownMethod(each, handler.member));
    inheritMetadata(
      stand,
      declared.filter((each) => each !== method),
    );
  }
  return Object.defineProperty(stand, 'name', { value: method.name });
}

/** The prototypes of an object, the nearest first. */
function prototypesOf(object: object): readonly object[] {
  const prototype = Object.getPrototypeOf(object) as object | null;
  return prototype === null || prototype === Object.prototype ? [] : [prototype, ...prototypesOf(prototype)];
}

function ownMethod(prototype: object, member: string): readonly HandlerFunction[] {
  const found: unknown = Object.getOwnPropertyDescriptor(prototype, member)?.value;
  return typeof found === 'function' ? [found as HandlerFunction] : [];
}

/** The name of a handler in messages. */
export function nameOf({ feature, member, run }: Pick<HostedHandler, 'feature' | 'member' | 'run'>): string {
  return run ? `the function ${run.name}` : `${feature.name}.${member}`;
}
