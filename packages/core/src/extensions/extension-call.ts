/** A call, as the handlers and stages of an extension see it, and calls without a request, which a stage records and runs later. */
import type {
  ErrorObject,
  JsonObject,
  MetaKey,
  Method,
  NotificationOperation,
  ParamsOf,
  ResultOf,
  ResultType,
} from '@sigil-mcp/protocol';
import type { MaybePromise } from '@sigil-mcp/base';
import { checkAnswer } from '../asking/check-answer';
import type { LiveQuestion, LiveWay } from '../asking/live-questions';
import { CallFace } from '../calls/call-face';
import { recordCall, type CallRecord } from '../calls/call-record';
import { countedFor, type RunningCall } from '../calls/running-call';
import type { DetachedCall, DetachOptions } from '../calls/detached-call';
import type { InnerCallOptions } from '../calls/call-services';
import { waitForTurn } from '../calls/wait-for-turn';
import type { EntryFacts } from '../context/entry-facts';
import type { ClientFacts } from '../context/mcp-context';

/** A call in flight: made for each handler or stage of an extension that it reaches. `P` are the parameters of its request. */
export class ExtensionCall<P extends object = object> extends CallFace {
  readonly #call: RunningCall;
  readonly #extension: string;

  /** @param extension the name of the extension that receives it */
  constructor(call: RunningCall, extension: string) {
    super(call);
    this.#call = call;
    this.#extension = extension;
  }

  /** As the operation of the request read them. */
  get params(): P {
    // The operation of this method read the parameters.
    return this.#call.params as P;
  }

  /** Whether the client declared the extension. */
  get isDeclared(): boolean {
    return declares(this.#call.client, this.#extension);
  }

  /** The value of a key of the extension in `_meta` of the request; undefined if the request does not have it. */
  metaValue<T>(key: MetaKey<T>): T | undefined {
    // Each key holds what its own `read` returned.
    return this.#call.meta.values?.get(key) as T | undefined;
  }

  /**
   * Whether the request can be answered with a result of this type: the client declared the extension, and its revision has such results.
   * A call that `run` made is always answered with a complete result.
   */
  canAnswerWith(type: ResultType): boolean {
    const { revision, method } = this.#call;
    return (
      !this.isNested &&
      !this.isBackground &&
      this.isDeclared &&
      revision.resultTypes.has(type) &&
      type.methods.includes(method)
    );
  }

  /** Whom it counts for in `ExtensionServices.account`: all calls of a client have the same text, of at most 64 characters of `A-Za-z0-9-_`. */
  get countedFor(): string {
    return countedFor(this.#call);
  }

  /** Whether another call runs it, with `run`. */
  get isNested(): boolean {
    return this.#call.request.outer !== undefined;
  }

  /**
   * The call as JSON, for running it again without its request (`ExtensionServices.start`): with the answers so far, and what it has kept.
   * @throws SigilError `SIGIL_RECORDED_CALL` for a call of another method than `tools/call`
   */
  get record(): CallRecord {
    return recordCall(this.#call);
  }

  /**
   * Checks the arguments of a call of a tool, as the call itself will.
   * @throws ProtocolError if they are not valid
   */
  checkArguments(): MaybePromise<void> {
    const { entry } = this.#call;
    return entry?.checkArguments?.(this.#call.arguments);
  }

  /**
   * Checks an answer before it is taken for a question of a call that runs elsewhere, or later (`ExtensionServices.start`): by its method,
   * and for a form by the schema that its client was shown.
   * @throws ProtocolError if it does not fit
   */
  checkAnswer(question: Pick<LiveQuestion, 'request' | 'label'>, answer: JsonObject): Promise<void> {
    const { revision, services } = this.#call;
    return checkAnswer(question, answer, { revision, shapes: services.asking.shapes });
  }

  /**
   * Checks the rights of the caller to an entry that the request turns out to be about: guards, scopes and `@Public`, as for a call of it.
   * `allowsCall` of guards is not asked: the request is no call, and a rate limit does not count it.
   * @throws ProtocolError if a guard hides it, Denial if a guard refuses it or scopes are missing
   */
  checkAccess(entry: EntryFacts): MaybePromise<void> {
    return this.#call.services.checkAccess(this.#call, entry);
  }

  /** Sends a notification of the extension before the answer, to this client alone. */
  notify<Q extends object>(notification: NotificationOperation<string, Q>, params: Q): MaybePromise<void> {
    return this.isDeclared ? this.#tell(notification.method, params) : undefined;
  }

  #tell(notification: string, params: object): MaybePromise<void> {
    return this.#call.messages.tell({ method: 'extension', extension: this.#extension, notification, params });
  }

  /**
   * Runs a method of the protocol on behalf of this call: `tools/call` with its guards, validation, interceptors and limits, for the same
   * caller. Questions of its handler are asked for this call. Observers of the request with `inner` watch it.
   * @throws ProtocolError what the method throws; a tool's failure is a result with `isError`
   * @example const result = await call.run('tools/call', { name: 'forecast', arguments: { city: 'Oslo' } });
   */
  run<M extends Method>(method: M, params: ParamsOf<M>, options?: InnerCallOptions): Promise<ResultOf<M>> {
    return this.#call.services.runMethod(this.#call, { method, params, options });
  }

  /** Waits for calls of others: that is no time of the tool, and its client receives progress. Rejects as `turn` does. */
  waitForTurn(turn: Promise<unknown>): Promise<void> {
    return waitForTurn(this.#call, turn, this.entry?.key ?? '');
  }

  /**
   * Detaches the call from its request: the request is answered with what is returned here, and the work goes on. Its signal no longer
   * follows the request or the connection. It counts against the limits of its client until it has ended, and `server.close()` ends it.
   * @param work often `next` of a stage; it has begun when `detach` returns
   * @throws SigilError `SIGIL_DETACHED_TWICE` for a call that is detached already
   */
  detach<T>(work: () => MaybePromise<T>, options?: DetachOptions): DetachedCall<T> {
    return this.#call.detach(work, options);
  }
}

/** Whether a client declared an extension. */
export function declares({ capabilities }: ClientFacts, extension: string): boolean {
  return capabilities.extensions?.[extension] !== undefined;
}

/** How a call without a request reaches its client, and how it ends. */
export type BackgroundOutcome =
  /** The result, as the revision writes it. */
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** The error, as the revision writes it. */
  | { readonly kind: 'error'; readonly error: ErrorObject }
  /** It was cancelled: by `cancel`, or because the server closes. */
  | { readonly kind: 'cancelled' }
  /** It was suspended: run it again, with what it has kept and the answers so far. */
  | { readonly kind: 'suspended' };

/** What a call without a request is given in place of one. */
export interface BackgroundWay extends LiveWay {
  /** Names the call in logs and to observers; no secret. */
  readonly id: string;
  /** Whom it counts for, as `ExtensionCall.countedFor` said when it was recorded. */
  readonly countedFor: string;
  /** Receives `context.progress`. */
  progress(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void>;
}

/** A call without a request, while it runs. */
export interface BackgroundCall {
  /** How it ended; never rejects. */
  readonly outcome: Promise<BackgroundOutcome>;
  /** Resolves when its handler has ended, which may be after the outcome: a handler may run on after it was cancelled. */
  readonly ended: Promise<void>;
  /** Fires its signal; its outcome is there then, even if its handler runs on. */
  cancel(reason: Error): void;
  /** Ends it at the questions that wait, and those to come. */
  suspend(): void;
}
