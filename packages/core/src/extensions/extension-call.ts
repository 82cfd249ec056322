/** A call, as the handlers and stages of an extension see it. */
import type {
  JsonObject,
  MetaKey,
  Method,
  NotificationOperation,
  ParamsOf,
  ResultOf,
  ResultType,
} from '@sigil-mcp/protocol';
import type { MaybePromise } from '@sigil-mcp/base';
import type { LiveQuestion } from '../asking/live-questions';
import type { CallRecord } from '../calls/call-record';
import type { InnerCallOptions } from '../calls/call-services';
import type { Call } from '../context/call';
import type { EntryFacts } from '../context/entry-facts';
import type { DetachedCall, DetachOptions } from '../calls/detached-call';

/** A call in flight. `P` are the parameters of its request. */
export interface ExtensionCall<P extends object = object> extends Call {
  /** As the operation of the request read them. */
  readonly params: P;
  /** Whether the client declared the extension. */
  readonly isDeclared: boolean;
  /** The value of a key of the extension in `_meta` of the request; undefined if the request does not have it. */
  metaValue<T>(key: MetaKey<T>): T | undefined;
  /**
   * Whether the request can be answered with a result of this type: the client declared the extension, and its revision has such results.
   * A call that `run` made is always answered with a complete result.
   */
  canAnswerWith(type: ResultType): boolean;
  /** Whom it counts for in `ExtensionServices.account`: all calls of a client have the same text, of at most 64 characters of `A-Za-z0-9-_`. */
  readonly countedFor: string;
  /** Whether another call runs it, with `run`. */
  readonly isNested: boolean;
  /**
   * The call as JSON, for running it again without its request (`ExtensionServices.start`): with the answers so far, and what it has kept.
   * @throws SigilError `SIGIL_RECORDED_CALL` for a call of another method than `tools/call`
   */
  readonly record: CallRecord;
  /**
   * Checks the arguments of a call of a tool, as the call itself will.
   * @throws ProtocolError if they are not valid
   */
  checkArguments(): MaybePromise<void>;
  /**
   * Checks an answer before it is taken for a question of a call that runs elsewhere, or later (`ExtensionServices.start`): by its method,
   * and for a form by the schema that its client was shown.
   * @throws ProtocolError if it does not fit
   */
  checkAnswer(question: Pick<LiveQuestion, 'request' | 'label'>, answer: JsonObject): Promise<void>;
  /**
   * Checks the rights of the caller to an entry that the request turns out to be about: guards, scopes and `@Public`, as for a call of it.
   * `allowsCall` of guards is not asked: the request is no call, and a rate limit does not count it.
   * @throws ProtocolError if a guard hides it, Denial if a guard refuses it or scopes are missing
   */
  checkAccess(entry: EntryFacts): MaybePromise<void>;
  /** Sends a notification of the extension before the answer, to this client alone. */
  notify<Q extends object>(notification: NotificationOperation<string, Q>, params: Q): MaybePromise<void>;
  /**
   * Runs a method of the protocol on behalf of this call: `tools/call` with its guards, validation, interceptors and limits, for the same
   * caller. Questions of its handler are asked for this call. Observers of the request with `inner` watch it.
   * @throws ProtocolError what the method throws; a tool's failure is a result with `isError`
   * @example const result = await call.run('tools/call', { name: 'forecast', arguments: { city: 'Oslo' } });
   */
  run<M extends Method>(method: M, params: ParamsOf<M>, options?: InnerCallOptions): Promise<ResultOf<M>>;
  /** Waits for calls of others: that is no time of the tool, and its client receives progress. Rejects as `turn` does. */
  waitForTurn(turn: Promise<unknown>): Promise<void>;
  /**
   * Detaches the call from its request: the request is answered with what is returned here, and the work goes on. Its signal no longer
   * follows the request or the connection. It counts against the limits of its client until it has ended, and `server.close()` ends it.
   * @param work often `next` of a stage; it has begun when `detach` returns
   * @throws SigilError `SIGIL_DETACHED_TWICE` for a call that is detached already
   */
  detach<T>(work: () => MaybePromise<T>, options?: DetachOptions): DetachedCall<T>;
}
