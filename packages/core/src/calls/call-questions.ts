/** What one call asks its client: opened by the first question, or by what a request brought that was sent before. */
import type { InputRequiredResult, Method, RequestRetry } from '@sigil-mcp/protocol';
import { Asking, type CallThatAsks } from '../asking/asking';
import type { AskingPolicy } from '../asking/asking-policy';
import type { Questions } from '../asking/questions';
import { AskFailure } from '../errors/ask-failure';
import type { Conversation } from './conversation';
import type { Clock } from '../time/clock';
import type { Exchange } from './exchange';

/** Why a question that comes after the call has no answer. */
export const CALL_IS_OVER = new AskFailure('The call is over; nobody waits for answers any more.', 'unreachable');

/** The call that asks, and where its client is. */
export interface CallAndClient extends CallThatAsks {
  readonly method: Method;
  readonly params: object;
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

/** The questions of one call. */
export class CallQuestions {
  readonly #questions: Questions;
  #asking: Asking | undefined;

  /**
   * @param retry what a request brought that was sent before; undefined for a first one
   * @throws ProtocolError for what came with a retry and does not belong to this call
   */
  constructor(
    private readonly call: CallAndClient,
    private readonly policy: AskingPolicy,
    retry: RequestRetry | undefined,
  ) {
    const { method, params, exchange, clock } = call;
    const { states } = policy;
    this.#questions = call.conversation.openQuestions({ method, params, exchange, clock, retry, states });
  }

  /** What the handler asks through. */
  get asking(): Asking {
    return (this.#asking ??= new Asking(this.#questions, this.policy, this.call));
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

  /** Gives up on the questions that are open: nobody waits for answers any more. */
  close(reason: Error): void {
    this.#questions.close(reason);
  }
}
