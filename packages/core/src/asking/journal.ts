/** What is known of a call when it runs again: the answers so far, and what `once` kept. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { Kept } from './questions';
import type { AskedQuestion } from './question';

/** An answer, and the question it belongs to; undefined where the client answered without saying to what. */
export interface JournaledAnswer {
  readonly question: AskedQuestion | undefined;
  /** As it came. */
  readonly result: JsonObject;
}

/** The journal of one call. */
export interface Journal {
  readonly callId: string;
  /** Of the run that it is for; 1 for the first. */
  readonly round: number;
  readonly answers: ReadonlyMap<string, JournaledAnswer>;
  /** By the keys of `once`. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** Asked at the end of the round before, by key. */
  readonly asked: ReadonlyMap<string, AskedQuestion>;
}

/** The journal of a call that runs for the first time. */
export function newJournal(): Journal {
  return { callId: newCallId(), round: 1, answers: new Map(), kept: new Map(), asked: new Map() };
}

/** Unguessable, because keys against repetition are made of it. */
export function newCallId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * The journal, with the answers that came back. Only what was asked counts.
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
