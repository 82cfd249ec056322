/** A handler with everything that Nest runs around it: guards, interceptors, pipes, the handler, filters. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ForbiddenException, Logger } from '@nestjs/common';
import { isSuspension } from '@sigil-mcp/core';
import { EMPTY, fromEvent, isObservable, lastValueFrom, takeUntil, tap, type Observable } from 'rxjs';
import { nestError } from './errors';
import type { McpArguments } from './execution-context';
import {
  creatorFor,
  hostObject,
  methodOf,
  nameOf,
  standIn,
  type HostedHandler,
  type HandlerFunction,
  type NestAround,
} from './hosted-handler';
import { parameterValues } from './method-parameters';
import { hasOwnFilters, PARAMETERS } from './nest-metadata';
import { withKind } from './plain-copies';
import { textOf } from './told-error';

/** One call of an enhanced handler. */
export interface EnhancedCall {
  /** What `getArgs()` returns. */
  readonly args: McpArguments;
  /** Reads the input, once. */
  readonly readInput: () => unknown;
  /** Calls the handler, with the values of the parameters that pass through pipes. */
  readonly invoke: (method: HandlerFunction, instance: object, piped: readonly unknown[]) => unknown;
}

/** A call that runs, as its innermost function and its parameters find it. */
interface Pending {
  readonly call: EnhancedCall;
  input: unknown;
  isRead: boolean;
  /** By the handler; its last value if it returned an Observable. */
  returned: unknown;
  /** Thrown by the handler, to run again when the client has answered. */
  suspension: unknown;
  /** Thrown inside of filters. */
  failure: { readonly error: unknown } | undefined;
}

const running = new AsyncLocalStorage<Pending>();
const VALUES = parameterValues(() => readInput(pendingCall()));

/** Composes a handler with what Nest runs around it, its guards apart. */
export function enhance(around: NestAround, host: HostedHandler): (call: EnhancedCall) => Promise<unknown> {
  const method = methodOf(host);
  const innermost = standIn(host, method, (...piped) => invoke(method, host.instance, piped));
  return pendingAround(inFilters(around, host, composed(around, host, innermost)));
}

/**
 * Composes the guards of a handler, without the handler.
 * @returns rejects with the refusal of a guard; with `isFiltered`, what exception filters make of that
 */
export function askGuards(
  around: NestAround,
  host: HostedHandler,
  { isFiltered }: { readonly isFiltered: boolean },
): (args: McpArguments) => Promise<unknown> {
  const { member, contextId, hostId } = host;
  const innermost = standIn(host, methodOf(host), () => ADMITTED);
  const parts = { guards: true, interceptors: false, filters: false };
  // A name of its own, under which no parameters are written.
  const name = `${member} in guards`;
  const ask: HandlerFunction = creatorFor(around, host).create(
    hostObject(host),
    innermost,
    name,
    undefined,
    undefined,
    contextId,
    hostId,
    parts,
    'mcp',
  );
  if (!isFiltered) return (args) => Promise.resolve(ask(...args));
  const run = pendingAround(inFilters(around, host, ask));
  return async (args) => {
    const outcome = await run({ args, readInput: () => undefined, invoke: () => undefined });
    // A filter may change the words of a refusal, and not the refusal.
    if (outcome !== ADMITTED) throw new ForbiddenException(textOf(outcome));
  };
}

const ADMITTED = Symbol('admitted');

function pendingAround(run: HandlerFunction): (call: EnhancedCall) => Promise<unknown> {
  return async (call) => {
    const pending: Pending = {
      call,
      input: undefined,
      isRead: false,
      returned: undefined,
      suspension: undefined,
      failure: undefined,
    };
    const [outcome] = await Promise.allSettled([running.run(pending, async () => flat(await run(...call.args)))]);
    // Regardless of what interceptors have made of the end of the round: the handler runs again when the client has answered.
    if (pending.suspension !== undefined) throw pending.suspension as Error;
    if (outcome.status === 'rejected') throw outcome.reason;
    return pending.failure ? outcome.value : withKind(pending.returned, outcome.value);
  };
}

/** Interceptors, pipes and the handler. */
function composed(around: NestAround, host: HostedHandler, innermost: HandlerFunction): HandlerFunction {
  const { member, contextId, hostId } = host;
  const parts = { guards: false, interceptors: true, filters: false };
  return creatorFor(around, host).create(
    hostObject(host),
    innermost,
    member,
    PARAMETERS,
    VALUES,
    contextId,
    hostId,
    parts,
    'mcp',
  );
}

/** The same inside of filters, if there are any. */
function inFilters(around: NestAround, host: HostedHandler, inner: HandlerFunction): HandlerFunction {
  const { member, contextId, hostId } = host;
  const watched = standIn(host, methodOf(host), async (...args) => {
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
  if (!hasFilters(around, host, watched)) return inner;
  const parts = { guards: false, interceptors: false, filters: true };
  // A name of its own, under which no parameters are written: they have passed through pipes inside.
  const name = `${member} in filters`;
  const run = creatorFor(around, host).create(
    hostObject(host),
    watched,
    name,
    undefined,
    undefined,
    contextId,
    hostId,
    parts,
    'mcp',
  );
  return async (...args) => filterOutcome(pendingCall(), () => run(...args), nameOf(host));
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

async function invoke(method: HandlerFunction, instance: object, piped: readonly unknown[]): Promise<unknown> {
  const pending = pendingCall();
  await readInput(pending);
  try {
    const result = await pending.call.invoke(method, instance, piped);
    const keep = (value: unknown): unknown => (pending.returned = value);
    return isObservable(result) ? untilEnded(result, pending.call).pipe(tap(keep)) : keep(result);
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

function hasFilters({ config }: NestAround, host: HostedHandler, handler: HandlerFunction): boolean {
  if (config.getGlobalFilters().length + config.getGlobalRequestFilters().length > 0) return true;
  return [hostObject(host).constructor, handler].some(hasOwnFilters);
}

async function flat(result: unknown): Promise<unknown> {
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}
