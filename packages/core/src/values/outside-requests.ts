/**
 * Work that a server does for everybody, such as a worker, a queue, a timer or a shared connection, runs outside of any request. Otherwise it
 * would run in the async context (`AsyncLocalStorage`) of the request that began it, or that woke it: with the user, the transaction and
 * the trace of another caller.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { platformClock, systemClock, type Clock } from '@sigil-mcp/base';

/** Runs a function in the async context of the moment at which this was made. Returns, or throws, what the function does. */
export type RunOutside = <T>(work: () => T) => T;

/**
 * Captures the async context. Call it where something is made that outlives requests: when the server is defined or starts, and never in
 * a request. What belongs to one call stays in the context of that call: a promise that it awaits goes on there, however it is resolved.
 */
export function outsideRequests(): RunOutside {
  const run = isBoundToRequests() ? AT_LOAD : AsyncLocalStorage.snapshot();
  return (work) => run(work);
}

/** The async context in which this module was loaded, which is in no request. */
const AT_LOAD = AsyncLocalStorage.snapshot();

/**
 * Whether the platform ties what a request captures to that request, as Cloudflare Workers do: another request that calls it fails. A server is
 * often started by a request there.
 */
function isBoundToRequests(): boolean {
  return platformClock() !== systemClock;
}

/** The same clock, whose timers call back outside of requests. */
export function clockOutside(clock: Clock, outside: RunOutside = outsideRequests()): Clock {
  // A timer keeps the context in which it is set alive.
  const set = (timer: 'after' | 'every') => (milliseconds: number, callback: () => void) =>
    outside(() => clock[timer](milliseconds, () => outside(callback)));
  return { ...readings(clock), after: set('after'), every: set('every') };
}

/**
 * The same clock, whose timers never call back in the context of a later request, as those of `RequestClock` would. Those of other clocks call
 * back in the context in which they were set.
 */
export function clockOfCallers(clock: Clock): Clock {
  return clock.attend ? clockOutside(clock) : clock;
}

function readings(clock: Clock): Pick<Clock, 'now' | 'elapsed' | 'attend'> {
  const attend = clock.attend && (() => clock.attend?.() ?? (() => undefined));
  return { now: () => clock.now(), elapsed: () => clock.elapsed(), ...(attend && { attend }) };
}
