/** What is known of a call that runs again, as JSON: for code that keeps calls longer than a process. */
import type { JsonObject } from '@sigil-mcp/protocol';
import { newCallId, type Journal, type StoredValue } from './journal';

/** An answer of the client. */
export interface RememberedAnswer {
  /** The result as the client sent it. */
  readonly result: JsonObject;
  /** A short text that stands for the words of the question; left out if the client did not say what it answered. */
  readonly digest?: string;
  /** The question for people; left out with `digest`. */
  readonly label?: string;
}

/** The memory of one call. */
export interface CallMemory {
  /** The same each time the call runs, and in no other call. */
  readonly callId: string;
  /** The answers so far, by the keys of their questions. */
  readonly answers: Readonly<Record<string, RememberedAnswer>>;
  /** The results of `once`, by their keys. */
  readonly kept: Readonly<Record<string, StoredValue>>;
}

/** The memory of a call that has not run yet. */
export function emptyMemory(): CallMemory {
  return { callId: newCallId(), answers: {}, kept: {} };
}

/** What a journal says. Questions that were asked and not answered are asked again. */
export function memoryOf({ callId, answers, kept }: Pick<Journal, 'callId' | 'answers' | 'kept'>): CallMemory {
  return {
    callId,
    answers: Object.fromEntries(
      [...answers].map(([key, { question, result }]) => [key, { result, ...question }] as const),
    ),
    kept: Object.fromEntries(kept),
  };
}
