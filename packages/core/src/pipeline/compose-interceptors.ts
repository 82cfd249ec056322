/** Interceptors -> one function around a step; compiled once, as Koa and Hono compose their middleware. */
import { andThen, isPromise, type MaybePromise } from '@sigil-mcp/base';
import { TypedResult } from '@sigil-mcp/protocol';
import type { Observation } from '../calls/call-services';
import type { RunningCall } from '../calls/running-call';
import type { Call, Interceptor } from '../context/call';
import { sigilError } from '../errors/catalogue';
import type { RunStage } from '../extensions/extension';
import { ExtensionCall } from '../extensions/extension-call';
import type { OwnedStage } from '../extensions/server-extensions';

/** A step of the pipeline, compiled. */
export type Step<C = Call> = (call: C) => MaybePromise<unknown>;

/** A call, and the part of it that authors hold. */
interface FacedCall {
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

// The stages of extensions around the call of one entry.

/** Puts the stages of extensions around a step; the first is the outermost. */
export function runStages(stages: readonly OwnedStage[], next: Step<RunningCall>): Step<RunningCall> {
  const inner: Step<RunningCall> = (call) => explained(call, next);
  return stages.reduceRight<Step<RunningCall>>((step, owned) => around(owned, step), inner);
}

/**
 * Whether an answer may be sent as it is: a result of a type of an extension is an error for a client that cannot read it.
 * @throws SigilError `SIGIL_RESULT_TYPE`
 */
export function checkAnswer(answer: object, call: ExtensionCall): object {
  if (!(answer instanceof TypedResult)) return answer;
  const { type } = answer as TypedResult;
  if (!call.canAnswerWith(type)) throw sigilError('SIGIL_RESULT_TYPE', { method: call.method, type: type.name });
  return answer;
}

function around({ owner, stage }: OwnedStage, next: Step<RunningCall>): Step<RunningCall> {
  return (call) => {
    const face = new ExtensionCall(call, owner.name);
    if (!stage.isForEveryone && !face.isDeclared) return next(call);
    let passed: object | undefined;
    const inner: RunStage = (changes) => {
      if (changes) call.arguments = changes.arguments;
      // The inner step gives a neutral result, which is an object.
      return andThen(next(call) as MaybePromise<object>, (result) => (passed = result));
    };
    // The result of a stage within was checked there: it may be of a type of that extension.
    return andThen(stage.run(face, inner, owner.started), (given) =>
      given === passed ? given : checkAnswer(given, face),
    );
  };
}

/** A tool that fails has a result; stages see this result, and not the error. */
function explained(call: RunningCall, next: Step<RunningCall>): MaybePromise<unknown> {
  const { explainFailure } = call;
  if (!explainFailure) return next(call);
  try {
    const result = next(call);
    return isPromise(result) ? result.catch(explainFailure) : result;
  } catch (error) {
    return explainFailure(error);
  }
}
