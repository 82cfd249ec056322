/** How the questions of one call reach the client: the port between a handler's context and its conversation. */
import type { InputRequiredResult, JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { Question } from './question';

/** What `once` kept; a value that JSON has no word for is absent. */
export interface Kept {
  readonly value?: JsonValue;
}

/** The questions of one run of a call; made by its conversation. */
export interface Questions {
  /** How often the handler has been started for this call, this time included. */
  readonly round: number;
  /** The same in every round of a call, and in no other call. */
  readonly callId: string;
  /** Why the client cannot be asked anything; undefined if it can. */
  readonly unreachable: string | undefined;
  /**
   * The result that the client answers with, as it came.
   * @throws AskFailure where it does not answer or cannot be asked, `Suspension` where the answer comes in a later round
   */
  ask(question: Question): Promise<JsonObject>;
  /** What an earlier round of this call kept under a key. */
  recall(key: string): Kept | undefined;
  /** Keeps something for the later rounds. */
  keep(key: string, kept: Kept): void;
  /**
   * The handler is done; settled again, it is as if nothing was asked.
   * @param error what it threw, if it did
   * @returns what has to be asked before there can be a result; undefined if there is nothing
   * @throws SwallowedSuspension if the handler went on after a suspension
   */
  settle(error?: unknown): InputRequiredResult | undefined;
  /** Nobody waits for answers any more. */
  close(reason: Error): void;
}
