/** The port of a framework around Sigil that calls handlers itself: on instances of its own, inside what it runs around them. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { RunningCall } from '../calls/running-call';
import type { Constructor } from '../container/provider';
import type { Call, Guard, Interceptor } from '../context/call';
import type { EntryFacts } from '../context/entry-facts';
import type { McpContext } from '../context/mcp-context';
import type { HandlerPlan, ParameterSource } from '../members/member';
import { composeInterceptors, type Step } from './compose-interceptors';

/** A handler, as a runner learns of it when its entry is compiled. */
export interface HandlerToRun<P extends string = ParameterSource> {
  /** The method of a feature, by its class and its name, or a function: one of `tool`, `resource` and `prompt`, or of an extension. */
  readonly handler: HandlerPlan;
  /** The tool, resource, template or prompt that it belongs to. */
  readonly entry: EntryFacts;
  /** What it is given, by position; `nothing` stands for values that the runner supplies, and for the input of a handler without one. */
  readonly parameters: readonly P[];
}

/** One call of a handler, for its runner. */
export class HandlerCall {
  /** @internal */
  constructor(
    private readonly running: RunningCall,
    private readonly runnable: Runnable,
  ) {}

  /** The call; guards, scopes and time limit of Sigil are passed. Its input is not read yet. */
  get call(): Call {
    return this.running.face;
  }

  /**
   * Reads and validates the arguments.
   * @returns the input of the handler; undefined for one that takes none
   * @throws InvalidArguments for what the client must send differently
   */
  readInput(): MaybePromise<unknown> {
    return this.runnable.read(this.running);
  }

  /** The arguments of the handler, by position, once its input was read. */
  values(): unknown[] {
    return this.runnable.values(this.running);
  }

  /**
   * Calls a function inside the interceptors that Sigil runs around the handler.
   * @returns what the interceptors make of its result
   */
  within(run: () => unknown): MaybePromise<unknown> {
    return composeInterceptors(this.runnable.interceptors, () => run())(this.running);
  }
}

/**
 * Calls the handlers of all entries in place of Sigil, which calls methods on the instance that the container has built.
 * @example
 * const onFreshInstances: HandlerRunner = {
 *   handler: ({ handler }) => async (call) => {
 *     await call.readInput();
 *     const run = await build(handler);
 *     return call.within(() => run(...call.values()));
 *   },
 *   companion: ({ handler }) => async (_context, values) => (await build(handler))(...values),
 * };
 */
export interface HandlerRunner {
  /**
   * The positions of the parameters whose values the runner supplies: the scanner does not look at their types. None if left out.
   * @param member the name of the method
   */
  supplies?(feature: Constructor, member: string): readonly number[];
  /**
   * What the framework asks before a caller may use an entry: asked after all other guards of the entry, by lists, subscriptions, completions
   * and extensions, too. Called once for each entry; undefined, like the method left out, for an entry for which nothing is asked.
   */
  guard?(handler: HandlerToRun): Guard | undefined;
  /** Called once for each handler. What it returns is called for each call, and returns what the handler returns. */
  handler(handler: HandlerToRun): (call: HandlerCall) => MaybePromise<unknown>;
  /** The same for what completes an argument or lists what is under a template; `values` are its arguments. */
  companion(
    handler: HandlerToRun<'prefix' | 'context' | 'caller' | 'page' | 'nothing'>,
  ): (context: McpContext, values: readonly unknown[]) => unknown;
}

/** What a runner's call is made of. */
interface Runnable {
  readonly interceptors: readonly Interceptor[];
  readonly read: (call: RunningCall) => MaybePromise<unknown>;
  readonly values: (call: RunningCall) => unknown[];
}

/** The innermost step of an entry whose handler a runner calls. */
export function runBy(run: (call: HandlerCall) => MaybePromise<unknown>, runnable: Runnable): Step<RunningCall> {
  return (call) => run(new HandlerCall(call, runnable));
}
