/** A running call, as one extension sees it. */
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
import { checkAnswer } from '../asking/check-answer';
import type { LiveQuestion } from '../asking/live-questions';
import { CallFace } from '../calls/call-face';
import { recordCall, type CallRecord } from '../calls/call-record';
import { countedFor } from '../calls/counted-for';
import type { DetachedCall, DetachOptions } from '../calls/detached-call';
import type { InnerCallOptions } from '../calls/call-services';
import type { RunningCall } from '../calls/running-call';
import { waitForTurn } from '../calls/wait-for-turn';
import type { EntryFacts } from '../context/entry-facts';
import type { ExtensionCall } from './extension-call';
import { declares } from './served-extensions';

/** Made for each handler or stage of an extension that a call reaches. */
export class RunningExtensionCall<P extends object> extends CallFace implements ExtensionCall<P> {
  readonly #call: RunningCall;
  readonly #extension: string;

  constructor(call: RunningCall, extension: string) {
    super(call);
    this.#call = call;
    this.#extension = extension;
  }

  get params(): P {
    // The operation of this method read the parameters.
    return this.#call.params as P;
  }

  get isDeclared(): boolean {
    return declares(this.#call.client, this.#extension);
  }

  metaValue<T>(key: MetaKey<T>): T | undefined {
    // Each key holds what its own `read` returned.
    return this.#call.meta.values?.get(key) as T | undefined;
  }

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

  get countedFor(): string {
    return countedFor(this.#call);
  }

  get isNested(): boolean {
    return this.#call.request.outer !== undefined;
  }

  get record(): CallRecord {
    return recordCall(this.#call);
  }

  checkArguments(): MaybePromise<void> {
    const { entry } = this.#call;
    return entry?.checkArguments?.(this.#call.arguments);
  }

  checkAnswer(question: Pick<LiveQuestion, 'request' | 'label'>, answer: JsonObject): Promise<void> {
    const { revision, services } = this.#call;
    return checkAnswer(question, answer, { revision, shapes: services.asking.shapes });
  }

  checkAccess(entry: EntryFacts): MaybePromise<void> {
    return this.#call.services.checkAccess(this.#call, entry);
  }

  notify<Q extends object>(notification: NotificationOperation<string, Q>, params: Q): MaybePromise<void> {
    return this.isDeclared ? this.#tell(notification.method, params) : undefined;
  }

  #tell(notification: string, params: object): MaybePromise<void> {
    return this.#call.messages.tell({ method: 'extension', extension: this.#extension, notification, params });
  }

  run<M extends Method>(method: M, params: ParamsOf<M>, options?: InnerCallOptions): Promise<ResultOf<M>> {
    return this.#call.services.runMethod(this.#call, { method, params, options });
  }

  waitForTurn(turn: Promise<unknown>): Promise<void> {
    return waitForTurn(this.#call, turn, this.entry?.key ?? '');
  }

  detach<T>(work: () => MaybePromise<T>, options?: DetachOptions): DetachedCall<T> {
    return this.#call.detach(work, options);
  }
}
