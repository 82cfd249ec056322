/** The port of code that shows the questions of the server to clients, and may answer them instead of a client. */
import type { LooseObject } from '../json-object';

/** An answer instead of a client: its result, or a refusal. */
export type AnswerInPlace = { readonly result: LooseObject } | { readonly refused: string };

/** A question to a client that waits for an answer. */
export interface HeldQuestion {
  readonly method: string;
  readonly params: LooseObject;
  /** The name of the client; undefined if it has not said one. */
  readonly client: string | undefined;
  /** The tool, resource or prompt whose call asks; undefined where the protocol does not say it. */
  readonly entry: string | undefined;
  /**
   * Answers instead of the client, which learns that its answer is no longer needed.
   * @returns false if the question does not wait any more, or cannot be answered like that
   */
  readonly answer: (answer: AnswerInPlace) => boolean;
}

/** Is shown every question to a client. */
export interface QuestionWatcher {
  /** The server asks. @returns called when the question does not wait any more */
  asked(question: HeldQuestion): () => void;
}

/** The reason that a client is given. */
export const ANSWERED_ELSEWHERE = 'The question was answered in the page of sigil dev.';
