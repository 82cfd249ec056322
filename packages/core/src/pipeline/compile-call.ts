/**
 * Composes the closure that answers the calls of one entry. Everything that can be decided before a call is decided here:
 * a stage without work is left out.
 */
import { InvalidArguments, type ProtocolError } from '@sigil-mcp/protocol';
import type { ParameterSource } from '../members/member';
import type { InputShape, Reading } from '@sigil-mcp/schema';
import type { MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import { andThen, describeFailures, isPromise, type MaybePromise, Deadline } from '@sigil-mcp/base';
import type { RunningCall } from '../calls/running-call';
import { composeInterceptors, runStages, timeInterceptors, timeStage, type Step } from './compose-interceptors';
import type { Guard, Interceptor } from '../context/call';
import type { Concurrency } from '../limits/client-turns';
import { limitConcurrency } from './limit-concurrency';
import { runBy, type HandlerCall } from './handler-runner';
import type { OwnedStage } from '../extensions/server-extensions';
import { Denial, MissingScopes } from '../errors/denial';
import { unknownResource } from '../errors/catalogue';
import { rulesOf } from '../kinds/all-kinds';
import { ToolFailure } from '../errors/failures';

/** A call's parts, resolved: instances instead of classes. */
export interface ResolvedCall {
  readonly guards: readonly Guard[];
  /** The scopes that a caller needs, all of them. */
  readonly scopes: readonly string[];
  /** Arguments that HTTP clients repeat in headers. */
  readonly mirrored: readonly MirroredArgument[];
  /** The stages of extensions; the first is the outermost. */
  readonly stages: readonly OwnedStage[];
  /** Undefined for a handler without an input class: its arguments must be empty, or are read elsewhere. */
  readonly input: InputShape | undefined;
  /** Milliseconds; undefined for no limit. */
  readonly timeout: number | undefined;
  /** Calls that run at the same time; undefined for any number. */
  readonly concurrency: Concurrency | undefined;
  /** Interceptors of the class and the method; the first is the outermost. */
  readonly interceptors: readonly Interceptor[];
  /** Whether an observer asks for the times of the stages. */
  readonly isTimed: boolean;
  /** The user's method, bound to its instance; or what a framework around Sigil runs in its place, which reads the input by itself. */
  readonly handler: ((...args: unknown[]) => unknown) | { readonly run: (call: HandlerCall) => MaybePromise<unknown> };
  readonly parameters: readonly ParameterSource[];
  /** A handler's return value -> the neutral result. */
  readonly shapeOutput: (value: unknown, call: RunningCall) => MaybePromise<unknown>;
}

type CallStep = Step<RunningCall>;
type Stage = (call: ResolvedCall, next: CallStep) => CallStep;

/** The stages of a call in the order in which they start; each wraps those below it. */
const STAGES: readonly Stage[] = [
  checkGuards, //     refused: answered as unknown, or with the denial
  checkScopes, //     missing ones are named, but only to callers that the guards let through
  refuse, //          faults of the call that were found before the guards ran
  extend, //          what extensions run around the entry
  stopLate, //        the tool's time limit
  readInput, //       arguments -> validated instance of the input class
  waitInLine, //      no more calls at a time than the tool allows
  shapeOutput, //     return value -> the neutral result
  runInterceptors, // of the class, then of the method
];

/** From the innermost, as they are put around a handler. */
const FROM_THE_INNERMOST = [...STAGES].reverse();
/** The same for a handler that a framework calls: it reads the input where its own order wants that, inside of it run the interceptors. */
const AROUND_RUNNER = FROM_THE_INNERMOST.filter((stage) => stage !== readInput && stage !== runInterceptors);

/**
 * Compiles the call of one entry.
 * @returns a function that runs a call through all stages: it returns the neutral result, or throws
 */
export function compileCall(resolved: ResolvedCall): CallStep {
  const { handler, isTimed } = resolved;
  if (isTimed) return compileTimed(resolved);
  const isOwn = typeof handler === 'function';
  let step = isOwn ? invokeHandler(resolved, handler) : runElsewhere(resolved, handler.run);
  // A loop, because every tool is compiled when a server starts: a function for each stage is a call more.
  for (const stage of isOwn ? FROM_THE_INNERMOST : AROUND_RUNNER) step = stage(resolved, step);
  return step;
}

/** The names under which the times of stages are reported. The others take no time, or are reported one by one. */
const NAMES: ReadonlyMap<Stage, string> = new Map([
  [readInput, 'arguments'],
  [waitInLine, 'queue'],
  [shapeOutput, 'output'],
]);

/** The same call, with stages that report when they begin and end. */
function compileTimed(resolved: ResolvedCall): CallStep {
  const { handler } = resolved;
  const isOwn = typeof handler === 'function';
  const step = timeStage('handler', isOwn ? invokeHandler(resolved, handler) : runElsewhere(resolved, handler.run));
  return (isOwn ? FROM_THE_INNERMOST : AROUND_RUNNER).reduce((inner, stage) => {
    const outer = stage(resolved, inner);
    const name = outer === inner ? undefined : NAMES.get(stage);
    return name === undefined ? outer : timeStage(name, outer);
  }, step);
}

/**
 * Runs guards and scopes before a step: for a request that is about an entry, and is no call of it.
 * @returns a function that runs the step, or throws the refusal
 */
export function checkAccess(guards: readonly Guard[], scopes: readonly string[], next: CallStep): CallStep {
  const access = { guards, scopes };
  return checkGuards(access, checkScopes(access, next));
}

/**
 * Runs guards and scopes before a step, for a request that turns out to be about an entry: guards see who asks, and not the request, whose
 * arguments are not those of a call.
 * @returns a function that runs the step, or throws the refusal
 */
export function checkKnown(guards: readonly Guard[], scopes: readonly string[], next: CallStep): CallStep {
  return checkEntries(guards, checkScopes({ scopes }, next));
}

/** First every guard decides whether the entry may be known at all: otherwise a guard that looks at the call could reveal the entry. */
function checkGuards({ guards }: Pick<ResolvedCall, 'guards'>, next: CallStep): CallStep {
  if (guards.length === 0) return next;
  const checkCalls = guards.reduceRight<CallStep>((inner, guard) => checkCall(guard, inner), next);
  return checkEntries(
    guards.filter((guard) => guard.asksCalls !== 'instead' || !guard.allowsCall),
    checkCalls,
  );
}

function checkEntries(guards: readonly Guard[], next: CallStep): CallStep {
  return guards.reduceRight<CallStep>((inner, guard) => checkEntry(guard, inner), next);
}

function checkEntry(guard: Guard, next: CallStep): CallStep {
  return (call) => {
    if (!call.entry) return next(call);
    return andThen(guard.allows(call.context, call.entry.face), (verdict) => {
      if (call.observation) call.observation.judged(guard, verdict);
      if (verdict === true) return next(call);
      throw guardError(verdict, call);
    });
  };
}

function checkCall(guard: Guard, next: CallStep): CallStep {
  if (!guard.allowsCall) return next;
  return (call) =>
    andThen(guard.allowsCall?.(call.face) ?? true, (verdict) => {
      if (call.observation) call.observation.judged(guard, verdict);
      if (verdict === true) return next(call);
      throw guardError(verdict, call);
    });
}

function checkScopes({ scopes }: Pick<ResolvedCall, 'scopes'>, next: CallStep): CallStep {
  if (scopes.length === 0) return next;
  return (call) => {
    if (!call.exchange.caller.hasScopes(...scopes)) throw new MissingScopes(scopes);
    return next(call);
  };
}

function refuse({ mirrored }: ResolvedCall, next: CallStep): CallStep {
  if (mirrored.length === 0) return next;
  return (call) => {
    const refused = call.findRefusal?.();
    if (refused) throw refused;
    call.findRefusal = undefined;
    return next(call);
  };
}

function extend({ stages, isTimed }: ResolvedCall, next: CallStep): CallStep {
  if (stages.length === 0) return next;
  return isTimed ? runTimedStages(stages, next) : runStages(stages, next);
}

function runTimedStages(stages: readonly OwnedStage[], next: CallStep): CallStep {
  return stages.reduceRight<CallStep>(
    (inner, stage) => timeStage(`extension ${stage.owner.name}`, runStages([stage], inner)),
    next,
  );
}

/** Checks arguments as the call does, and leaves them as they are. Throws `InvalidArguments`. */
export function argumentsCheck(input: InputShape): (given: unknown) => MaybePromise<void> {
  return (given) => andThen(input.read(given), (reading) => void acceptedValue(reading));
}

function readInput({ input }: Pick<ResolvedCall, 'input'>, next: CallStep): CallStep {
  if (!input) return next;
  const accept = (call: RunningCall, reading: Reading<unknown>): MaybePromise<unknown> => {
    call.input = acceptedValue(reading);
    return next(call);
  };
  return (call) => {
    const reading = input.read(call.arguments);
    return isPromise(reading) ? reading.then((value) => accept(call, value)) : accept(call, reading);
  };
}

function acceptedValue(reading: Reading<unknown>): unknown {
  if (!reading.ok) throw new InvalidArguments(`Invalid arguments: ${describeFailures(reading.failures)}`);
  return reading.value;
}

function stopLate({ timeout }: ResolvedCall, next: CallStep): CallStep {
  return timeout === undefined ? next : limitTime(timeout, next);
}

function waitInLine({ concurrency, timeout }: ResolvedCall, next: CallStep): CallStep {
  return concurrency === undefined ? next : limitConcurrency(concurrency, timeout, next);
}

function shapeOutput({ shapeOutput: shape }: ResolvedCall, next: CallStep): CallStep {
  return (call) => {
    const returned = next(call);
    return isPromise(returned) ? returned.then((value) => shape(value, call)) : shape(returned, call);
  };
}

function runInterceptors({ interceptors, isTimed }: ResolvedCall, next: CallStep): CallStep {
  return isTimed ? timeInterceptors(interceptors, next) : composeInterceptors(interceptors, next);
}

function runElsewhere(
  { input, interceptors, parameters, isTimed }: ResolvedCall,
  run: (call: HandlerCall) => MaybePromise<unknown>,
): CallStep {
  const read = readInput({ input }, (call) => call.input);
  return runBy(run, {
    interceptors,
    read: isTimed && input ? timeStage('arguments', read) : read,
    values: (call) => parameters.map((source) => pick(call, source)),
  });
}

function invokeHandler({ parameters }: ResolvedCall, handler: (...args: unknown[]) => unknown): CallStep {
  const [first, second] = parameters;
  if (parameters.length === 0) return () => handler();
  if (parameters.length === 1) return (call) => handler(pick(call, first));
  if (parameters.length === 2) return (call) => handler(pick(call, first), pick(call, second));
  return (call) => handler(...parameters.map((source) => pick(call, source)));
}

function pick(call: RunningCall, source: ParameterSource | undefined): unknown {
  if (source === 'input') return call.input;
  if (source === 'caller') return call.exchange.caller;
  return source === 'context' ? call.context : undefined;
}

/**
 * The error for a call that a guard does not allow: a denial as it is; a plain `false` hides the entry, so the error is the one
 * for a name that does not exist.
 */
function guardError(verdict: false | Denial, call: RunningCall): ProtocolError {
  if (verdict instanceof Denial) return verdict;
  const { entry, params } = call;
  const uri = 'uri' in params ? String(params.uri) : '';
  return entry ? rulesOf(entry).unknown(entry.key, uri) : unknownResource(uri);
}

/**
 * Ends a step that takes longer: the signal of its call fires, and the step fails in words for the model.
 *
 * The time limit of a tool. Work after the limit is ignored: the call has been answered. While the client answers a question, the time
 * does not count: the tool is not responsible for it.
 * @param limit milliseconds
 */
function limitTime(limit: number, next: Step<RunningCall>): Step<RunningCall> {
  return (call) => {
    const deadline = new Deadline(call.clock, limit);
    call.timeLimit = deadline;
    const result = next(call);
    if (isPromise(result)) {
      // A call that was cancelled may never settle, and must not keep the process from ending.
      call.signal.addEventListener('abort', () => deadline.stop(), { once: true });
      return deadline.race(result, () => {
        // The handler runs on, whether or not it looks at its signal, and with it what was made for it.
        call.outliving = result;
        return expire(call, limit);
      });
    }
    // Nothing could interrupt it, but an answer that comes too late is too late.
    if (deadline.left < 0) throw expire(call, limit);
    return result;
  };
}

function expire(call: RunningCall, limit: number): ToolFailure {
  const failure = new ToolFailure(`The tool ${call.entry?.key ?? ''} timed out after ${limit} ms.`);
  call.note('warn', failure.message);
  call.abort(failure);
  return failure;
}
