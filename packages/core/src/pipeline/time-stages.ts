/** Stages that report their begin and end to who watches a call: compiled only for a server with an observer that asks for them. */
import { isPromise } from '@sigil-mcp/base';
import type { Observation } from '../calls/observation';
import type { Interceptor } from '../context/interceptor';
import { composeInterceptors, type FacedCall, type Step } from './compose-interceptors';

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
