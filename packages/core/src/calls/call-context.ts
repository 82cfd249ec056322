/** The context of one call, made by the kernel; what costs something is made on first use. */
import {
  LOG_LEVELS,
  type CompleteParams,
  type FormSchema,
  type InputRequiredResult,
  type JsonValue,
  type LogLevel,
  type Method,
  type RequestId,
  type RequestMeta,
  type RequestRetry,
  type Root,
  type ServerNotification,
} from '@sigil-mcp/protocol';
import type {
  AskOptions,
  ElicitAnswer,
  ElicitUrlAnswer,
  SampleAnswer,
  SampleMessage,
  SampleOptions,
} from '../asking/ask-options';
import type { Asking } from '../asking/asking';
import type { Class } from '../values/class';
import type { RunningCalls } from './running-calls';
import type { Logger } from '../logging/logger';
import { CALL_IS_OVER, CallQuestions, type AskingRules } from './call-questions';
import { createContextLog } from './context-log';
import {
  McpContext,
  type AuthenticatedUser,
  type ClientFacts,
  type CompletionFacts,
  type ContextLog,
  type RequestFacts,
  type RequestHeaders,
} from '../context/mcp-context';
import type { Origin } from './origin';

/** What stops while the client is waited for. */
export interface Clock {
  pause(): void;
  resume(): void;
}

/** What the kernel gives to each context. */
export interface ContextParts {
  readonly origin: Origin;
  readonly logger: Logger;
  readonly requestId: RequestId;
  readonly asking: AskingRules;
}

/** Implements the context; `abort` and `end` belong to the kernel. Plain members: one of these is made for every call. */
export class CallContext extends McpContext {
  private controller: AbortController | undefined;
  private abortReason: Error | undefined;
  private contextLog: ContextLog | undefined;
  private clientFacts: ClientFacts | undefined;
  private lastProgress: number;
  private ended: boolean;
  private questions: CallQuestions | undefined;
  /** Set by the pipeline where a tool has a time limit. */
  clock: Clock | undefined;
  /** The request was sent before and brought something from then. */
  isRetry: boolean;

  constructor(
    private readonly method: Method,
    private readonly params: unknown,
    private readonly meta: RequestMeta,
    private readonly parts: ContextParts,
  ) {
    super();
    this.controller = undefined;
    this.abortReason = undefined;
    this.contextLog = undefined;
    this.clientFacts = undefined;
    this.lastProgress = Number.NEGATIVE_INFINITY;
    this.ended = false;
    this.questions = undefined;
    this.clock = undefined;
    this.isRetry = false;
  }

  get request(): RequestFacts {
    return { method: this.method, params: this.params, meta: this.meta.all };
  }

  get completion(): CompletionFacts | undefined {
    if (this.method !== 'completion/complete') return undefined;
    // The revision read the parameters of this method.
    const { argument, previous } = this.params as CompleteParams;
    return { argument: argument.name, arguments: previous };
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      // An AbortController costs about 2 µs, and most handlers never look at the signal.
      this.controller = new AbortController();
      if (this.abortReason) this.controller.abort(this.abortReason);
    }
    return this.controller.signal;
  }

  get client(): ClientFacts {
    return (this.clientFacts ??= this.parts.origin.conversation.clientOf(this.meta));
  }

  get user(): AuthenticatedUser | undefined {
    return this.parts.origin.exchange.user;
  }

  get headers(): RequestHeaders {
    return this.parts.origin.exchange.headers;
  }

  get log(): ContextLog {
    return (this.contextLog ??= createContextLog(this.parts.logger, (level, data) => this.#tellLog(level, data)));
  }

  /** The revision that this call is answered in. */
  get revision(): string {
    return this.parts.origin.conversation.revision.version;
  }

  get requestId(): RequestId {
    return this.parts.requestId;
  }

  /** Whether the client is asked with a result, and answers with the next request. */
  get asksWithResults(): boolean {
    return this.parts.origin.conversation.revision.inputRequiredResults.has(this.method);
  }

  /** The calls of the same client. */
  get running(): RunningCalls {
    return this.parts.origin.conversation.running;
  }

  /** Whether other messages go out the same way, so that its end says nothing about this call. */
  get sharesItsWay(): boolean {
    return this.parts.origin.exchange.isShared === true;
  }

  /** @returns tells the conversation's client about changes of a resource from then on, unless it gave that up meanwhile */
  subscribe(uri: string): () => void {
    return this.parts.origin.conversation.subscribe(uri);
  }

  unsubscribe(uri: string): void {
    this.parts.origin.conversation.unsubscribe(uri);
  }

  /** Sends a notification that belongs to this call; silent after its end. */
  tell(notification: ServerNotification): void | Promise<void> {
    return this.ended ? undefined : this.#notify(notification);
  }

  /** Sets the level of the conversation. */
  setLogLevel(level: LogLevel): void {
    this.parts.origin.conversation.setLogLevel(level);
  }

  async progress(progress: number, total?: number, message?: string): Promise<void> {
    const { progressToken } = this.meta;
    if (progressToken === undefined || this.ended || !(progress > this.lastProgress) || progress === Infinity) return;
    this.lastProgress = progress;
    await this.#notify({
      method: 'notifications/progress',
      progressToken,
      progress,
      // JSON has no word for what is not finite.
      ...(Number.isFinite(total) && { total: total as number }),
      ...(message === undefined ? {} : { message }),
    });
  }

  releaseStream(): void {
    if (!this.ended) this.parts.origin.exchange.release?.();
  }

  elicit<T>(form: Class | FormSchema, message: string, options?: AskOptions): Promise<ElicitAnswer<T>> {
    return quiet(this.#asking.elicit<T>(form, message, options));
  }

  elicitUrl(url: string | URL, message: string, options?: AskOptions): Promise<ElicitUrlAnswer> {
    return quiet(this.#asking.elicitUrl(url, message, options));
  }

  sample(prompt: string | readonly SampleMessage[], options?: SampleOptions): Promise<SampleAnswer> {
    return quiet(this.#asking.sample(prompt, options));
  }

  roots(options?: AskOptions): Promise<readonly Root[]> {
    return quiet(this.#asking.roots(options));
  }

  once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    return quiet(this.#asking.once(key, run));
  }

  onceId(key: string): string {
    return this.#asking.onceId(key);
  }

  /** How often the handler has been started for this call. */
  get round(): number {
    return this.questions?.round ?? 1;
  }

  /** Takes what a request brought that was sent before. Throws `ProtocolError` for what does not belong to this call. */
  retry(retry: RequestRetry): void {
    this.isRetry = true;
    this.questions = this.#openQuestions(retry);
  }

  /** What has to be asked before there can be a result. Throws `SwallowedSuspension`. */
  settleQuestions(error?: unknown): InputRequiredResult | undefined {
    return this.questions?.settle(error);
  }

  /** Fires the signal; nothing is sent for this call any more. */
  abort(reason: Error): void {
    this.questions?.close(reason);
    this.ended = true;
    this.abortReason ??= reason;
    this.controller?.abort(reason);
  }

  /** The call is answered: nothing may follow the response. */
  end(): void {
    this.questions?.close(CALL_IS_OVER);
    this.ended = true;
  }

  get #asking(): Asking {
    return (this.questions ??= this.#openQuestions()).asking;
  }

  #openQuestions(retry?: RequestRetry): CallQuestions {
    const { method, params, parts } = this;
    const questions = new CallQuestions(
      {
        method,
        // Parameters of every method are objects.
        params: params as object,
        origin: parts.origin,
        rules: parts.asking,
        capabilities: () => this.client.capabilities,
        whileWaiting: () => this.#wait(),
        tellDone: (elicitationId) => void this.tell({ method: 'notifications/elicitation/complete', elicitationId }),
      },
      retry,
    );
    if (this.ended) questions.close(this.abortReason ?? CALL_IS_OVER);
    return questions;
  }

  #wait(): () => void {
    const { clock } = this;
    clock?.pause();
    return () => clock?.resume();
  }

  #tellLog(level: LogLevel, data: JsonValue): void {
    const threshold = this.parts.origin.conversation.logThreshold(this.meta);
    if (this.ended || threshold === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return;
    void this.#notify({ method: 'notifications/message', level, data });
  }

  #notify(notification: ServerNotification): void | Promise<void> {
    const written = this.parts.origin.conversation.revision.writeNotification(notification);
    return written && this.parts.origin.exchange.notify(JSON.stringify(written));
  }
}

/** A question that is awaited late, or not at all, must not end the process. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
