/** The port between a handler's context and its conversation: how the questions of one call reach the client. */
import type { InputRequiredResult, JsonObject } from '@sigil-mcp/protocol';
import type { MaybePromise } from '@sigil-mcp/base';
import type { CallMemory, StoredValue } from './call-memory';
import type { Question } from './question';
import type { Shapes } from '@sigil-mcp/schema';
import type { RequestStates } from './request-states';

/** Made once from the options of a server; every call of it asks by this. */
export interface AskingPolicy {
  /** Compiles the forms. */
  readonly shapes: Pick<Shapes, 'form'>;
  /** Seals what is known of a call while it is with the client. */
  readonly states: RequestStates;
  /** Milliseconds that a client has to answer where it is waited for, if the question does not say. */
  readonly answerTimeout: number;
}

/** The questions of one run of a call; made by its conversation. */
export interface Questions {
  /** How often the handler has been started for this call, the current run included. */
  readonly round: number;
  /** The same in every round of a call, and in no other call. */
  readonly callId: string;
  /** Why the client cannot be asked anything; undefined if it can. */
  readonly unreachable: string | undefined;
  /** Whether questions do not go to the client with the request, so that its method does not matter; false if left out. */
  readonly isDetached?: boolean;
  /** Whether a request is sent for a question; never, if left out. */
  sends?(question: Question): boolean;
  /**
   * Asks the client.
   * @returns the result that the client answers with, as it came
   * @throws AskFailure where it does not answer or cannot be asked, `Suspension` where the answer comes in a later round
   */
  ask(question: Question): Promise<JsonObject>;
  /** What this call has kept under a key, in this round or an earlier one; undefined if nothing. */
  recall(key: string): StoredValue | undefined;
  /** Keeps a value under a key for the later rounds of this call; the handler goes on when it is kept. */
  keep(key: string, kept: StoredValue): MaybePromise<void>;
  /** What is known of the call so far. */
  readonly memory: CallMemory;
  /**
   * Says what has to be asked, once the handler is done. Called again after it has thrown, it finds nothing to ask.
   * @param error what it threw, if it did
   * @returns the questions that the client must answer before there can be a result; undefined if there are no such questions
   * @throws SwallowedSuspension if the handler went on after a suspension
   */
  settle(error?: unknown): InputRequiredResult | undefined;
  /** Cancels the pending questions: their answers are no longer awaited. */
  close(reason: Error): void;
}
