/**
 * A running call, as the kernel and the pipeline see it; guards and interceptors receive its face, the handler receives the context that it
 * opens. Expensive parts are made on first use.
 */
import type { Clock, Deadline, MaybePromise } from '@sigil-mcp/base';
import type {
  InputRequiredResult,
  Method,
  ParamsOf,
  RequestId,
  RequestMeta,
  RequestRetry,
  Revision,
} from '@sigil-mcp/protocol';
import type { Asking } from '../asking/asking';
import { emptyMemory, type CallMemory } from '../asking/call-memory';
import type { QuestionOutcome } from '../asking/question';
import type { CallScope } from '../container/container';
import type { Token } from '../container/provider';
import type { Call } from '../context/call';
import type { FacedEntry } from '../context/entry-facts';
import type { ClientFacts, ContextLog, McpContext } from '../context/mcp-context';
import type { ObservedQuestion } from '../context/observer';
import { sigilError } from '../errors/catalogue';
import type { Logger } from '../logging/logger';
import type { RateStore } from '../stores/stores';
import { CallFace, type CallBehindFace } from './call-face';
import { callFields, NOT_STOPPED } from './call-fields';
import { CallMessages } from './call-messages';
import { CALL_IS_OVER, CallQuestions } from './call-questions';
import type { CallServices, Observation } from './call-services';
import type { Conversation, Exchange } from './conversation';
import { startDetached, type DetachedCall, type DetachOptions } from './detached-call';
import { createContextLog, HandlerContext } from './handler-context';
import type { ReadRequest } from './wait-for-turn';

/**
 * A pending call. `E` is the type of the entry that the method's handler found. Its fields are not private names (`#`), because an
 * instance is made for every call.
 */
export class RunningCall<M extends Method = Method, E extends FacedEntry = FacedEntry> implements CallBehindFace {
  readonly id: RequestId;
  readonly method: M;
  readonly params: ParamsOf<M>;
  readonly meta: RequestMeta;
  /** The revision of the answer. */
  readonly revision: Revision;
  entry: E | undefined;
  arguments: unknown;
  input: unknown;
  /** Set by the pipeline if a tool has a time limit. */
  timeLimit: Deadline | undefined;
  private handlerContext: McpContext | undefined;
  private controller: AbortController | undefined;
  private abortReason: Error | undefined;
  private contextLog: ContextLog | undefined;
  private clientFacts: ClientFacts | undefined;
  private callMessages: CallMessages | undefined;
  private callFace: CallFace | undefined;
  private ended: boolean;
  private questions: CallQuestions | undefined;
  private scope: CallScope | undefined;
  /** Set once the call was detached from its request. */
  private detachment: DetachOptions | undefined;
  /** Undefined if nobody watches the call. */
  observation: Observation | undefined;
  /** Work that outlives the answer, such as a handler whose time limit has passed; undefined if there is no such work. */
  outliving: Promise<unknown> | undefined;
  /** Whether the request is a retry that carries answers or a state. */
  isRetry: boolean;
  /** Finds the refusal that follows once guards let the call through. Nothing is sent before that: over HTTP it has a status, no stream. */
  findRefusal: (() => Error | undefined) | undefined;
  /** ClientTurns an error of the handler into a result; undefined if errors of the method stay errors, or if no extension sees its results. */
  explainFailure: ((error: unknown) => MaybePromise<object>) | undefined;

  constructor(
    readonly request: ReadRequest<M>,
    readonly conversation: Conversation,
    readonly exchange: Exchange,
    readonly services: CallServices,
  ) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params;
    this.meta = request.meta;
    this.revision = conversation.revision;
    this.entry = undefined;
    this.arguments = undefined;
    this.input = undefined;
    this.timeLimit = undefined;
    this.handlerContext = undefined;
    this.controller = undefined;
    this.abortReason = undefined;
    this.contextLog = undefined;
    this.clientFacts = undefined;
    this.callMessages = undefined;
    this.callFace = undefined;
    this.ended = false;
    this.questions = undefined;
    this.scope = undefined;
    this.outliving = undefined;
    this.isRetry = false;
    this.findRefusal = undefined;
    this.explainFailure = undefined;
    this.detachment = undefined;
    this.observation = undefined;
  }

  /** The context that the handler sees. */
  get context(): McpContext {
    return (this.handlerContext ??= new HandlerContext(this));
  }

  /** What guards and interceptors hold. */
  get face(): Call {
    return (this.callFace ??= new CallFace(this));
  }

  get client(): ClientFacts {
    return (this.clientFacts ??= this.conversation.clientOf(this.meta));
  }

  get rates(): RateStore {
    return this.services.rates;
  }

  get clock(): Clock {
    return this.services.clock;
  }

  get isBackground(): boolean {
    return this.conversation.isBackground === true && this.request.outer === undefined;
  }

  get session(): object | undefined {
    return this.services.sessions.of(this.exchange.session);
  }

  get address(): string | undefined {
    return this.exchange.address;
  }

  get log(): ContextLog {
    return (this.contextLog ??= createContextLog(this.services.logger, (level, data) =>
      this.messages.log(level, data),
    ));
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      // An AbortController costs about 2 µs, and most handlers never look at the signal.
      this.controller = new AbortController();
      if (this.abortReason) this.controller.abort(this.abortReason);
    }
    return this.controller.signal;
  }

  /** Reports progress to the client, or to the code that detached the call. */
  tellProgress(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void> {
    if (this.request.outer) return this.request.outer.tellProgress(progress, total, message);
    if (this.detachment) return this.detachment.onProgress?.(progress, total, message);
    return this.messages.progress(progress, total, message);
  }

  /** Closes the connection while the call runs on. */
  releaseStream(): void {
    if (!this.ended) this.exchange.release?.();
  }

  /** Asks the client on behalf of the handler. */
  get asking(): Asking {
    const { outer, scope } = this.request;
    if (outer) return outer.asking.within(this, scope);
    return (this.questions ??= this.#openQuestions(undefined)).asking;
  }

  /** Pauses the time limits of the call, and of the call that runs it. Returns a function that resumes them. */
  waitForClient(question: ObservedQuestion): (outcome: QuestionOutcome) => void {
    this.timeLimit?.pause();
    const end = this.request.outer?.waitForClient(question) ?? this.observation?.asked(question);
    return (outcome) => {
      this.timeLimit?.resume();
      end?.(outcome);
    };
  }

  tellElicitationDone(elicitationId: string): void {
    this.messages.mention({ method: 'notifications/elicitation/complete', elicitationId });
  }

  /** How often the handler has been started for this call. */
  get round(): number {
    return (this.request.outer ? this.request.outer.round : this.questions?.round) ?? 1;
  }

  /** What is known of the call so far. */
  get memory(): CallMemory {
    return this.questions?.memory ?? emptyMemory();
  }

  /** Takes the answers and the state of a retried request. Throws `ProtocolError` if they do not belong to this call. */
  retry(retry: RequestRetry): void {
    this.isRetry = true;
    this.questions = this.#openQuestions(retry);
  }

  /**
   * The questions that the client must answer before there can be a result; undefined if there are no such questions.
   * @param error what the handler threw, if it did
   * @throws SwallowedSuspension if the handler went on after a suspension
   */
  settleQuestions(error?: unknown): InputRequiredResult | undefined {
    return this.questions?.settle(error);
  }

  /** Whether its signal has fired, or would have if the signal had been used. */
  get isAborted(): boolean {
    return this.abortReason !== undefined;
  }

  /** The request was cancelled, or its client is gone: fires the signal, unless the call was detached. */
  abandon(reason: Error): void {
    if (!this.detachment) this.abort(reason);
  }

  /** Fires the signal; no more messages are sent for this call. */
  abort(reason: Error): void {
    this.questions?.close(reason);
    this.ended = true;
    this.abortReason ??= reason;
    this.controller?.abort(reason);
  }

  /** Ends the call, because it was answered: nothing may follow the response. */
  end(): void {
    this.callMessages?.end();
    this.questions?.close(CALL_IS_OVER);
    this.ended = true;
  }

  /** Whether nothing may be sent for it any more. */
  get isSilent(): boolean {
    return this.ended || this.request.outer?.isSilent === true;
  }

  /** The value of a provider: made for this call, or shared by the whole server. */
  provide(token: Token): Promise<unknown> {
    const isOver = this.ended && !this.detachment;
    return (this.scope ??= this.services.openScope(this.context, isOver)).get(token);
  }

  /**
   * Lets work go on after the request was answered: it is counted until it has ended, and the signal no longer follows the request.
   * @throws SigilError `SIGIL_DETACHED_TWICE`
   */
  detach<T>(work: () => MaybePromise<T>, options: DetachOptions = {}): DetachedCall<T> {
    if (this.detachment) throw sigilError('SIGIL_DETACHED_TWICE');
    this.detachment = options;
    (this.questions ??= this.#openQuestions(undefined)).detach(options.onQuestion, this);
    const { settled, ...detached } = startDetached(this, work, options);
    this.outliving = settled;
    this.services.detached.add(settled, detached.cancel);
    return detached;
  }

  /** Releases the instances that were made for this call; call it only once its handler has ended. */
  release(): void {
    this.questions?.release();
    this.scope?.close().catch((err: unknown) => this.services.logger.error({ ...callFields(this), err }, NOT_STOPPED));
  }

  /** Writes a line about this call to the server's log. */
  note(severity: keyof Logger, message: string): void {
    this.services.logger[severity](callFields(this), message);
  }

  /** The messages of the call; nothing is sent after its end. */
  get messages(): CallMessages {
    return (this.callMessages ??= new CallMessages(this, this.services));
  }

  #openQuestions(retry: RequestRetry | undefined): CallQuestions {
    const questions = new CallQuestions(this, this.services, retry);
    if (this.ended) questions.end(this.abortReason ?? CALL_IS_OVER);
    return questions;
  }
}

// Whose turn and whose share a call is: one answer for all limits and queues that clients share.

/** The key of its client, which is the same for all of its requests, sessions and connections. */
export function countedFor({ conversation, exchange, services }: RunningCall): string {
  return conversation.running.load.client ?? services.account.clientOf(exchange.caller.principal, exchange.address);
}
