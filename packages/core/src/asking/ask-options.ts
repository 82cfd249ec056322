/** What a handler says about a question, and what it gets for it. */
import type {
  CreateMessageParams,
  CreateMessageResult,
  JsonObject,
  SamplingContent,
  SamplingMessage,
} from '@sigil-mcp/protocol';

/** What every question may say. */
export interface AskOptions {
  /**
   * Its name within the call. Left out, it is made of the words of the question; name it where a client or a test has to know
   * it, or where a handler asks in words that change between two runs. Asked again under it, it is the same question and has
   * the same answer; in other words it throws an `Error`.
   */
  readonly key?: string;
  /**
   * Milliseconds that the client has to answer where it is waited for, `Infinity` for all the time there is;
   * `createServer({ answerTimeout })` if left out. What is no such number throws a `SigilError`.
   */
  readonly timeout?: number;
}

/** What the user did with a form. */
export type ElicitAnswer<T = JsonObject> =
  /** The user sent it; `content` is what was filled in, checked against the form. */
  | { readonly action: 'accept'; readonly content: T }
  /** The user said no. */
  | { readonly action: 'decline' }
  /** The user closed the form without saying anything. */
  | { readonly action: 'cancel' };

/** What became of a page that the user was to open; `accept` says that it will be opened, not that anything was done there. */
export interface ElicitUrlAnswer {
  /** What the user said: yes, no, or nothing. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Tells the client, while the call runs, that what the page was for is done; silent where the revision has no word for it. */
  done(): void;
}

/** A message for the client's model; several blocks are a list, a string is a text. */
export interface SampleMessage extends Omit<SamplingMessage, 'content'> {
  readonly content: string | SamplingContent | readonly SamplingContent[];
}

/** What the client's model is given beside the messages. */
export interface SampleOptions extends AskOptions, Omit<CreateMessageParams, 'messages' | 'maxTokens'> {
  /** Tokens that the answer may have; 1000 if left out. */
  readonly maxTokens?: number;
}

/** What the client's model says. */
export interface SampleAnswer extends CreateMessageResult {
  /** The text blocks of the content, joined. */
  readonly text: string;
}
