/** What is known of a call that runs again, as JSON: for code that keeps calls longer than a process. */
import { randomBytes } from 'node:crypto';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { QuestionDigest } from './question';

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

// What is known of a call when it runs again: the answers so far, and what `once` kept.

/** A value that JSON does not have is absent. */
export interface StoredValue {
  readonly value?: JsonValue;
}

/** An answer, and the question it belongs to; undefined where the client answered without saying to what. */
export interface JournaledAnswer {
  readonly question: QuestionDigest | undefined;
  /** The result as the client sent it. */
  readonly result: JsonObject;
}

/** The journal of one call. */
export interface Journal {
  /** The same in all rounds of the call, and in no other call. */
  readonly callId: string;
  /** The number of the run that the journal is for; 1 for the first. */
  readonly round: number;
  /** The answers so far, by the keys of their questions. */
  readonly answers: ReadonlyMap<string, JournaledAnswer>;
  /** What `once` kept, by its keys. */
  readonly kept: ReadonlyMap<string, StoredValue>;
  /** The questions that were asked at the end of the round before, by their keys. */
  readonly asked: ReadonlyMap<string, QuestionDigest>;
  /** What observers have noted for the next round, by their names; undefined for nothing. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
}

/** The journal of a call that runs for the first time. */
export function newJournal(): Journal {
  return { callId: newCallId(), round: 1, answers: new Map(), kept: new Map(), asked: new Map() };
}

/** A name for a call that cannot be guessed, because the keys of `onceId` are derived from it. */
export function newCallId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * A journal with the new answers added. Only answers to questions that were asked count.
 * @param responses the results that the client sent, by the keys of their questions
 * @param isFirst the client answers without the journal, so nothing says what was asked
 */
export function addAnswers(
  journal: Journal,
  responses: Readonly<Record<string, JsonObject>>,
  isFirst: boolean,
): Journal {
  const answers = new Map(journal.answers);
  for (const [key, result] of Object.entries(responses)) {
    const question = journal.asked.get(key);
    if (question || isFirst) answers.set(key, { question, result });
  }
  return { ...journal, answers };
}
