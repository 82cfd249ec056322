/** The questions of one call to its client: opened by the first question, or by the answers of a retried request. */
import type { InputRequiredResult, Method, RequestRetry, Revision, JsonObject } from '@sigil-mcp/protocol';
import { Asking, type CallThatAsks, AskedBefore } from '../asking/asking';
import type { CallMemory, StoredValue } from '../asking/call-memory';
import type { Questions } from '../asking/questions';
import type { DetachOptions } from './detached-call';
import { AskFailure } from '../errors/failures';
import type { Conversation, Exchange } from './conversation';
import type { Clock } from '@sigil-mcp/base';
import type { CallServices, Observation } from './call-services';
import type { Question } from '../asking/question';

/**
 * Takes the place of the questions that the call had before.
 *
 * The questions of detached work: its request was answered, so they go the way that the code which detached it offers.
 */
class DetachedQuestions implements Questions {
  readonly isDetached = true;
  readonly #kept = new Map<string, StoredValue>();
  readonly unreachable: string | undefined;

  constructor(
    private readonly before: Pick<Questions, 'round' | 'callId' | 'recall' | 'memory'>,
    private readonly way: DetachOptions['onQuestion'],
    private readonly call: { readonly revision: Revision; readonly signal: AbortSignal },
  ) {
    this.unreachable = way ? undefined : 'The request was answered, and the work goes on without a way to the client.';
  }

  get round(): number {
    return this.before.round;
  }

  get callId(): string {
    return this.before.callId;
  }

  async ask({ key, request }: Question): Promise<JsonObject> {
    const { revision, signal } = this.call;
    // Asking checks `unreachable` first.
    return (await this.way?.(key, revision.writeServerRequest(request), signal)) ?? {};
  }

  recall(key: string): StoredValue | undefined {
    return this.#kept.get(key) ?? this.before.recall(key);
  }

  get memory(): CallMemory {
    const { memory } = this.before;
    return { ...memory, kept: { ...memory.kept, ...Object.fromEntries(this.#kept) } };
  }

  keep(key: string, kept: StoredValue): void {
    this.#kept.set(key, kept);
  }

  settle(): InputRequiredResult | undefined {
    return undefined;
  }

  close(): void {
    // They end with the signal of the work.
  }
}

/** The error of a question that is asked after the call has ended. */
export const CALL_IS_OVER = new AskFailure('The call has ended; no answers are awaited any more.', 'unreachable');

/** The call that asks, and the way to its client. */
export interface CallAndClient extends CallThatAsks {
  readonly method: Method;
  readonly params: object;
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Undefined if nobody watches the call. */
  readonly observation: Observation | undefined;
}

/** The questions of one call. */
export class CallQuestions {
  #questions: Questions;
  #asking: Asking | undefined;
  /** Bytes of memory of what the client answered, and of what `once` has kept. */
  #held = 0;
  #isReleased = false;

  /**
   * @param retry what a request brought that was sent before; undefined for a first one
   * @throws ProtocolError for what came with a retry and does not belong to this call
   */
  constructor(
    private readonly call: CallAndClient,
    private readonly services: Pick<CallServices, 'asking' | 'account'>,
    retry: RequestRetry | undefined,
  ) {
    const { method, params, exchange, clock } = call;
    const { states } = services.asking;
    this.#questions = call.conversation.openQuestions({
      method,
      params,
      exchange,
      clock,
      retry,
      states,
      notes: () => call.observation?.notes,
      hold: (bytes) => this.#hold(bytes),
    });
  }

  /** What the handler asks through. */
  get asking(): Asking {
    const { asking } = this.services;
    return (this.#asking ??= new Asking(
      this.#questions,
      asking,
      this.call,
      new AskedBefore((bytes) => this.#hold(bytes)),
    ));
  }

  /** From now on, questions go another way, or nowhere. */
  detach(way: DetachOptions['onQuestion'], call: { readonly revision: Revision; readonly signal: AbortSignal }): void {
    this.#questions = new DetachedQuestions(this.#questions, way, call);
    this.#asking = undefined;
  }

  /** What is known of the call so far. */
  get memory(): CallMemory {
    return this.#questions.memory;
  }

  /** How often the handler has been started for this call. */
  get round(): number {
    return this.#questions.round;
  }

  /**
   * What has to be asked before there can be a result; undefined if nothing has to.
   * @param error what the handler threw, if it did
   * @throws SwallowedSuspension if the handler went on after a suspension
   */
  settle(error: unknown): InputRequiredResult | undefined {
    return this.#questions.settle(error);
  }

  /** Cancels the pending questions: their answers are no longer awaited. */
  close(reason: Error): void {
    this.#questions.close(reason);
  }

  /** As `close` and `release`, for a call that was answered before it asked. */
  end(reason: Error): void {
    this.close(reason);
    this.release();
  }

  /** Releases what is held: the handler has ended. What a step that it did not wait for keeps after that is not counted. */
  release(): void {
    this.#isReleased = true;
    this.#count(-this.#held);
  }

  #hold(bytes: number): void {
    if (this.#isReleased) return;
    this.services.account.check(this.call.conversation.running.load, 'answers', bytes);
    this.#count(bytes);
  }

  #count(bytes: number): void {
    this.services.account.add('answers', bytes);
    this.call.conversation.running.load.hold(bytes);
    this.#held += bytes;
  }
}
