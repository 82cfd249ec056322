/** Interceptors -> one function around a step; compiled once, as Koa and Hono compose their middleware. */
import { isPromise } from '@sigil-mcp/base';
import type { Observation } from '../calls/observation';
import type { Call } from '../context/call';
import type { Interceptor } from '../context/interceptor';
import { sigilError } from '../errors/catalogue';
import type { MaybePromise } from '@sigil-mcp/base';

/** A step of the pipeline, compiled. */
export type Step<C = Call> = (call: C) => MaybePromise<unknown>;

/** A call, and the part of it that authors hold. */
export interface FacedCall {
  readonly face: Call;
}

/**
 * Puts interceptors around a step.
 * @param interceptors the first is the outermost
 * @returns the outermost step; `inner` itself if there are no interceptors
 */
export function composeInterceptors<C extends FacedCall>(
  interceptors: readonly Interceptor[],
  inner: Step<C>,
): Step<C> {
  return interceptors.reduceRight<Step<C>>((step, interceptor) => wrap(interceptor, step), inner);
}

function wrap<C extends FacedCall>(interceptor: Interceptor, inner: Step<C>): Step<C> {
  return (call) => {
    let entered = false;
    const next = async (): Promise<unknown> => {
      if (entered) throw sigilError('SIGIL_NEXT_TWICE', { interceptor: interceptor.constructor.name });
      entered = true;
      return inner(call);
    };
    return interceptor.intercept(call.face, next);
  };
}

/** A call with those who watch it: stages report their begin and end only for a server with an observer that asks for them. */
interface WatchedCall extends FacedCall {
  readonly observation: Observation | undefined;
}

/** A step that reports its begin and its end under a name. */
export function timeStage<C extends WatchedCall>(name: string, step: Step<C>): Step<C> {
  return (call) => {
    const end = call.observation?.stage(name);
    return end ? endingWith(end, () => step(call)) : step(call);
  };
}

/** Puts interceptors around a step, each of which is reported under the name of its class. */
export function timeInterceptors<C extends WatchedCall>(interceptors: readonly Interceptor[], inner: Step<C>): Step<C> {
  return interceptors.reduceRight<Step<C>>(
    (step, interceptor) =>
      timeStage(`interceptor ${interceptor.constructor.name}`, composeInterceptors([interceptor], step)),
    inner,
  );
}

function endingWith(end: () => void, run: () => unknown): unknown {
  try {
    const result = run();
    if (isPromise(result)) return result.finally(end);
    end();
    return result;
  } catch (error) {
    end();
    throw error;
  }
}
