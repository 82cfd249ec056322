/**
 * A running call, as the kernel and the pipeline see it; guards and interceptors receive it as a `Call`, the handler receives the
 * context that it opens. Expensive parts are made on first use.
 */
import {
  LOG_LEVELS,
  type InputRequiredResult,
  type JsonValue,
  type LogLevel,
  type Method,
  type ParamsOf,
  type RequestId,
  type RequestMeta,
  type RequestRetry,
  type Revision,
  type ServerNotification,
} from '@sigil-mcp/protocol';
import type { CallScope } from '../container/container';
import type { Token } from '../container/provider';
import type { Asking } from '../asking/asking';
import type { Call } from '../context/call';
import type { EntryFacts } from '../context/entry-facts';
import type { ClientFacts, ContextLog, McpContext } from '../context/mcp-context';
import type { Logger } from '../logging/logger';
import type { RateStore } from '../stores/rate-store';
import { unawaited, type Clock } from '@sigil-mcp/base';
import type { CallServices } from './call-services';
import { CALL_IS_OVER, CallQuestions } from './call-questions';
import { callFields, NOT_STOPPED } from './call-fields';
import { createContextLog } from './context-log';
import type { Conversation } from './conversation';
import type { Exchange } from './exchange';
import { HandlerContext } from './handler-context';
import type { PausedTimeLimit } from './paused-time-limit';
import { SideTalk } from './side-talk';

/** The content of a request, after it was read. */
export interface ReadRequest<M extends Method = Method> {
  readonly id: RequestId;
  readonly method: M;
  /** Neutral parameters. */
  readonly params: ParamsOf<M>;
  readonly meta: RequestMeta;
}

/**
 * A pending call. `E` is the type of the entry that the method's handler found. Its fields are not private names (`#`), because an
 * instance is made for every call.
 */
export class RunningCall<M extends Method = Method, E extends EntryFacts = EntryFacts> implements Call {
  entry: E | undefined;
  arguments: unknown;
  input: unknown;
  /** Set by the pipeline if a tool has a time limit. */
  timeLimit: PausedTimeLimit | undefined;
  private handlerContext: McpContext | undefined;
  private controller: AbortController | undefined;
  private abortReason: Error | undefined;
  private contextLog: ContextLog | undefined;
  private clientFacts: ClientFacts | undefined;
  private lastProgress: number;
  private sideTalk: SideTalk | undefined;
  private ended: boolean;
  private questions: CallQuestions | undefined;
  private scope: CallScope | undefined;
  /** Work that outlives the answer, such as a handler whose time limit has passed; undefined if there is no such work. */
  outliving: Promise<unknown> | undefined;
  /** Whether the request is a retry that carries answers or a state. */
  isRetry: boolean;
  /** Finds the refusal that follows once guards let the call through. Nothing is sent before that: over HTTP it has a status, no stream. */
  findRefusal: (() => Error | undefined) | undefined;

  constructor(
    private readonly request: ReadRequest<M>,
    readonly conversation: Conversation,
    readonly exchange: Exchange,
    private readonly services: CallServices,
  ) {
    this.entry = undefined;
    this.arguments = undefined;
    this.input = undefined;
    this.timeLimit = undefined;
    this.handlerContext = undefined;
    this.controller = undefined;
    this.abortReason = undefined;
    this.contextLog = undefined;
    this.clientFacts = undefined;
    this.lastProgress = Number.NEGATIVE_INFINITY;
    this.sideTalk = undefined;
    this.ended = false;
    this.questions = undefined;
    this.scope = undefined;
    this.outliving = undefined;
    this.isRetry = false;
    this.findRefusal = undefined;
  }

  get id(): RequestId {
    return this.request.id;
  }

  get method(): M {
    return this.request.method;
  }

  get params(): ParamsOf<M> {
    return this.request.params;
  }

  get meta(): RequestMeta {
    return this.request.meta;
  }

  /** The revision of the answer. */
  get revision(): Revision {
    return this.conversation.revision;
  }

  /** The context that the handler sees. */
  get context(): McpContext {
    return (this.handlerContext ??= new HandlerContext(this));
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

  get session(): object | undefined {
    return this.exchange.session;
  }

  get address(): string | undefined {
    return this.exchange.address;
  }

  get log(): ContextLog {
    return (this.contextLog ??= createContextLog(this.services.logger, (level, data) => this.#tellLog(level, data)));
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      // An AbortController costs about 2 µs, and most handlers never look at the signal.
      this.controller = new AbortController();
      if (this.abortReason) this.controller.abort(this.abortReason);
    }
    return this.controller.signal;
  }

  /** Sends a notification that belongs to this call; does nothing after its end. */
  tell(notification: ServerNotification): void | Promise<void> {
    const text = this.ended ? undefined : this.#write(notification);
    return text === undefined ? undefined : this.exchange.notify(text);
  }

  /** Sends a notification independently of the call: neither backpressure nor a failure to send it affects the call. */
  mention(notification: ServerNotification): void {
    const fail = (): void => this.note('debug', `${notification.method} could not be sent`);
    try {
      unawaited(this.tell(notification), fail);
    } catch {
      fail();
    }
  }

  /** Reports progress to the client, if it asked for progress and the value is greater than before. */
  tellProgress(progress: number, total: number | undefined, message: string | undefined): void | Promise<void> {
    const { progressToken } = this.meta;
    if (progressToken === undefined || this.ended || !(progress > this.lastProgress) || progress === Infinity) return;
    this.lastProgress = progress;
    const text = this.#write({
      method: 'notifications/progress',
      progressToken,
      progress,
      // JSON cannot hold a number that is not finite.
      ...(Number.isFinite(total) && { total: total as number }),
      ...(message === undefined ? {} : { message }),
    });
    return text === undefined ? undefined : this.#talk.progress(text, progress === total);
  }

  /** Closes the connection while the call runs on. */
  releaseStream(): void {
    if (!this.ended) this.exchange.release?.();
  }

  /** Asks the client on behalf of the handler. */
  get asking(): Asking {
    return (this.questions ??= this.#openQuestions(undefined)).asking;
  }

  /** Pauses the call's time limit. Returns a function that resumes it. */
  waitForClient(): () => void {
    const { timeLimit } = this;
    timeLimit?.pause();
    return () => timeLimit?.resume();
  }

  tellElicitationDone(elicitationId: string): void {
    this.mention({ method: 'notifications/elicitation/complete', elicitationId });
  }

  /** How often the handler has been started for this call. */
  get round(): number {
    return this.questions?.round ?? 1;
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

  /** Fires the signal; no more messages are sent for this call. */
  abort(reason: Error): void {
    this.questions?.close(reason);
    this.ended = true;
    this.abortReason ??= reason;
    this.controller?.abort(reason);
  }

  /** Ends the call, because it was answered: nothing may follow the response. */
  end(): void {
    this.sideTalk?.end();
    this.questions?.close(CALL_IS_OVER);
    this.ended = true;
  }

  /** The value of a provider: made for this call, or shared by the whole server. */
  provide(token: Token): Promise<unknown> {
    return (this.scope ??= this.services.openScope(this.context, this.ended)).get(token);
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

  #openQuestions(retry: RequestRetry | undefined): CallQuestions {
    const questions = new CallQuestions(this, this.services, retry);
    if (this.ended) questions.close(this.abortReason ?? CALL_IS_OVER);
    return questions;
  }

  /** The text of a notification; undefined if the revision does not have it, or if the call is to be refused. */
  #write(notification: ServerNotification): string | undefined {
    const written = this.findRefusal?.() ? undefined : this.revision.writeNotification(notification);
    return written && JSON.stringify(written);
  }

  get #talk(): SideTalk {
    return (this.sideTalk ??= new SideTalk(
      this.conversation.running.load,
      this.services,
      (text) => this.exchange.notify(text),
      (leftOut) => this.#confess(leftOut),
    ));
  }

  #tellLog(level: LogLevel, data: JsonValue): void {
    const threshold = this.conversation.logThreshold(this.meta);
    if (this.ended || threshold === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return;
    const text = this.#write({ method: 'notifications/message', level, data });
    if (text !== undefined) this.#talk.log(text);
  }

  #confess(leftOut: number): void {
    const data = `${leftOut} log messages were left out here, because those before them were not read (limits.unread).`;
    this.mention({ method: 'notifications/message', level: 'warning', data });
  }
}
