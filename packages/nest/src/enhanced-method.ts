/** A method with everything that Nest runs around it: guards, interceptors, pipes, the method, filters. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { ApplicationConfig, ContextId, ExternalContextCreator } from '@nestjs/core';
import { isSuspension, type Constructor } from '@sigil-mcp/core';
import { EMPTY, fromEvent, isObservable, lastValueFrom, takeUntil, type Observable } from 'rxjs';
import { nestError } from './errors';
import type { McpArguments } from './execution-context';
import { parameterValues } from './method-parameters';
import { hasOwnFilters, PARAMETERS } from './nest-metadata';

type Method = (...args: unknown[]) => unknown;

/** One call of an enhanced method. */
export interface EnhancedCall {
  /** What `getArgs()` returns. */
  readonly args: McpArguments;
  /** Reads the input, once. */
  readonly readInput: () => unknown;
  /** Calls the method, with the values of the parameters that pass through pipes. */
  readonly invoke: (method: Method, instance: object, piped: readonly unknown[]) => unknown;
}

/** What is composed around methods of one application. */
export interface NestAround {
  readonly creator: ExternalContextCreator;
  readonly config: ApplicationConfig;
}

/** The method of a class, and the instance that it is composed for. */
export interface MethodOfHost {
  readonly feature: Constructor;
  readonly member: string;
  readonly instance: object;
  /** The context of its instance; undefined for an instance that serves all calls. */
  readonly contextId: ContextId | undefined;
  /** The name under which Nest knows the provider. */
  readonly hostId: string;
}

/** A call that runs, as its innermost function and its parameters find it. */
interface Pending {
  readonly call: EnhancedCall;
  input: unknown;
  isRead: boolean;
  /** Thrown by the method, to run again when the client has answered. */
  suspension: unknown;
  /** Thrown inside of filters. */
  failure: { readonly error: unknown } | undefined;
}

const running = new AsyncLocalStorage<Pending>();
const VALUES = parameterValues(() => readInput(pendingCall()));

/** Composes a method with what Nest runs around it. */
export function enhance(around: NestAround, host: MethodOfHost): (call: EnhancedCall) => Promise<unknown> {
  const run = hasFilters(around, host) ? filtered(around, host) : enhanced(around, host);
  return async (call) => {
    const pending: Pending = { call, input: undefined, isRead: false, suspension: undefined, failure: undefined };
    const [outcome] = await Promise.allSettled([running.run(pending, async () => flat(await run(...call.args)))]);
    // Regardless of what interceptors have made of the end of the round: the method runs again when the client has answered.
    if (pending.suspension !== undefined) throw pending.suspension as Error;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}

/** Guards, interceptors, pipes and the method. */
function enhanced({ creator }: NestAround, { feature, member, instance, contextId, hostId }: MethodOfHost): Method {
  const method = methodOf(feature, member, instance);
  const innermost = standIn(method, (...piped) => invoke(method, instance, piped));
  const parts = { guards: true, interceptors: true, filters: false };
  return creator.create(instance, innermost, member, PARAMETERS, VALUES, contextId, hostId, parts, 'mcp');
}

/** The same inside of filters. */
function filtered(around: NestAround, host: MethodOfHost): Method {
  const { feature, member, instance, contextId, hostId } = host;
  const inner = enhanced(around, host);
  const watched = standIn(methodOf(feature, member, instance), async (...args) => {
    const pending = pendingCall();
    try {
      return await inner(...args);
    } catch (error) {
      // Filters never see the end of a round.
      if (pending.suspension !== undefined) return undefined;
      pending.failure = { error };
      throw error;
    }
  });
  const parts = { guards: false, interceptors: false, filters: true };
  // A name of its own, under which no parameters are written: they have passed through pipes inside.
  const name = `${member} in filters`;
  const run = around.creator.create(instance, watched, name, undefined, undefined, contextId, hostId, parts, 'mcp');
  return async (...args) => filterOutcome(pendingCall(), () => run(...args), `${feature.name}.${member}`);
}

/** What a filter returns is the result. One that returns nothing, or that does not know calls of MCP, has only watched. */
async function filterOutcome(pending: Pending, run: () => Promise<unknown>, where: string): Promise<unknown> {
  try {
    const result = await flat(await run());
    if (!pending.failure) return result;
    if (result === undefined) throw pending.failure.error;
    if (result instanceof Error) throw result;
    return result;
  } catch (error) {
    const { failure } = pending;
    if (!failure || !(error instanceof TypeError) || error === failure.error) throw error;
    log.warn(`An exception filter around ${where} failed: ${error.message}. Does it ask host.getType() for 'mcp'?`);
    throw failure.error;
  }
}

const log = new Logger('MCP');

async function invoke(method: Method, instance: object, piped: readonly unknown[]): Promise<unknown> {
  const pending = pendingCall();
  await readInput(pending);
  try {
    const result = await pending.call.invoke(method, instance, piped);
    return isObservable(result) ? untilEnded(result, pending.call) : result;
  } catch (error) {
    if (!isSuspension(error)) throw error;
    // Interceptors see an end without a value, and no failure.
    pending.suspension = error;
    return EMPTY;
  }
}

/** Unsubscribes when the call has ended before its values: no code reads the others. */
function untilEnded(values: Observable<unknown>, { args: [, { signal }] }: EnhancedCall): Observable<unknown> {
  return signal.aborted ? EMPTY : values.pipe(takeUntil(fromEvent(signal, 'abort')));
}

function readInput(pending: Pending): unknown {
  if (!pending.isRead) {
    pending.isRead = true;
    pending.input = pending.call.readInput();
  }
  return pending.input;
}

function pendingCall(): Pending {
  const pending = running.getStore();
  if (!pending) throw nestError('SIGIL_NEST_CALL_LOST', { method: 'a feature' });
  return pending;
}

function methodOf(feature: Constructor, member: string, instance: object): Method {
  // The scanner found the method on the class.
  return (Reflect.get(instance, member) ?? Reflect.get(feature.prototype as object, member)) as Method;
}

/** A function that Nest calls in place of a method: it has all metadata of the method, and its name. */
function standIn(method: Method, run: Method): Method {
  const stand: Method = (...args) => run(...args);
  Object.setPrototypeOf(stand, method);
  return Object.defineProperty(stand, 'name', { value: method.name });
}

function hasFilters({ config }: NestAround, { feature, member, instance }: MethodOfHost): boolean {
  if (config.getGlobalFilters().length + config.getGlobalRequestFilters().length > 0) return true;
  const targets = [instance.constructor, methodOf(feature, member, instance)];
  return targets.some(hasOwnFilters);
}

async function flat(result: unknown): Promise<unknown> {
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}
