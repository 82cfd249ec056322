/** The port of a framework around Sigil that calls the methods of features itself: on instances of its own, inside what it runs around them. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { RunningCall } from '../calls/running-call';
import type { Constructor } from '../container/provider';
import type { Call } from '../context/call';
import type { EntryFacts } from '../context/entry-facts';
import type { Interceptor } from '../context/interceptor';
import type { McpContext } from '../context/mcp-context';
import type { ParameterSource } from '../members/plan-base';
import { composeInterceptors, type Step } from './compose-interceptors';

/** A method of a feature, as a runner learns of it when its entry is compiled. */
export interface MethodToRun<P extends string = ParameterSource> {
  readonly feature: Constructor;
  readonly member: string;
  /** The tool, resource, template or prompt that the method belongs to. */
  readonly entry: EntryFacts;
  /** What the method is given, by position; `nothing` stands for the values that the runner supplies. */
  readonly parameters: readonly P[];
}

/** One call of a handler, for its runner. */
export interface MethodCall {
  /** The call; guards, scopes and time limit of Sigil are passed. Its input is not read yet. */
  readonly call: Call;
  /**
   * Reads and validates the arguments.
   * @returns the input of the method; undefined for one that takes none
   * @throws InvalidArguments for what the client must send differently
   */
  readInput(): MaybePromise<unknown>;
  /** The arguments of the method, by position, once its input was read. */
  values(): unknown[];
  /**
   * Calls a function inside the interceptors that Sigil runs around the method.
   * @returns what the interceptors make of its result
   */
  within(run: () => unknown): MaybePromise<unknown>;
}

/**
 * Calls the methods of features, in place of Sigil, which calls them on the instance that the container has built. Functions without a class
 * are never its business.
 * @example
 * const onFreshInstances: MethodRunner = {
 *   handler: ({ feature, member }) => async (call) => {
 *     await call.readInput();
 *     const instance = await build(feature);
 *     return call.within(() => instance[member](...call.values()));
 *   },
 *   companion: ({ feature, member }) => async (_context, values) => (await build(feature))[member](...values),
 * };
 */
export interface MethodRunner {
  /**
   * The positions of the parameters whose values the runner supplies: the scanner does not look at their types. None if left out.
   * @param member the name of the method
   */
  supplies?(feature: Constructor, member: string): readonly number[];
  /** Called once for each handler. What it returns is called for each call, and returns what the handler returns. */
  handler(method: MethodToRun): (call: MethodCall) => MaybePromise<unknown>;
  /** The same for a method that completes an argument or lists what is under a template; `values` are its arguments. */
  companion(
    method: MethodToRun<'prefix' | 'context' | 'caller' | 'page'>,
  ): (context: McpContext, values: readonly unknown[]) => unknown;
}

/** What a runner's call is made of. */
interface Runnable {
  readonly interceptors: readonly Interceptor[];
  readonly read: (call: RunningCall) => MaybePromise<unknown>;
  readonly values: (call: RunningCall) => unknown[];
}

/** The innermost step of an entry whose handler a runner calls. */
export function runBy(run: (call: MethodCall) => MaybePromise<unknown>, runnable: Runnable): Step<RunningCall> {
  return (call) => run(new PendingMethodCall(call, runnable));
}

class PendingMethodCall implements MethodCall {
  constructor(
    private readonly running: RunningCall,
    private readonly runnable: Runnable,
  ) {}

  get call(): Call {
    return this.running.face;
  }

  readInput(): MaybePromise<unknown> {
    return this.runnable.read(this.running);
  }

  values(): unknown[] {
    return this.runnable.values(this.running);
  }

  within(run: () => unknown): MaybePromise<unknown> {
    return composeInterceptors(this.runnable.interceptors, () => run())(this.running);
  }
}
