/** The stages of extensions around the call of one entry. */
import { TypedResult } from '@sigil-mcp/protocol';
import { andThen, isPromise, type MaybePromise } from '@sigil-mcp/base';
import type { RunningCall } from '../calls/running-call';
import { sigilError } from '../errors/catalogue';
import type { RunStage } from '../extensions/extension';
import { ExtensionCall } from '../extensions/extension-call';
import type { OwnedStage } from '../extensions/server-extensions';
import type { Step } from './compose-interceptors';

/** Puts the stages of extensions around a step; the first is the outermost. */
export function runStages(stages: readonly OwnedStage[], next: Step<RunningCall>): Step<RunningCall> {
  const inner: Step<RunningCall> = (call) => explained(call, next);
  return stages.reduceRight<Step<RunningCall>>((step, owned) => wrap(owned, step), inner);
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

function wrap({ owner, stage }: OwnedStage, next: Step<RunningCall>): Step<RunningCall> {
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
