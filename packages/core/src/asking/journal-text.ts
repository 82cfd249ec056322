/** A journal as JSON text and back; only what was sealed by a server is read. */
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { StoredValue } from './stored-value';
import type { Journal, JournaledAnswer } from './journal';
import type { QuestionDigest } from './question';

/** A journal with the call that it is good for, and until when. */
export interface SealedJournal {
  readonly journal: Journal;
  /** A digest of the call that the journal belongs to. */
  readonly binding: string;
  /** When the journal is good no longer, in milliseconds since 1970. */
  readonly expires: number;
}

/** Short names: this travels with every round. */
interface Written {
  readonly b: string;
  readonly x: number;
  readonly c: string;
  readonly r: number;
  /** key, result, digest, label */
  readonly a: readonly (readonly [string, JsonObject, string?, string?])[];
  /** key, value */
  readonly k: readonly (readonly [string, JsonValue?])[];
  /** key, digest, label */
  readonly q: readonly (readonly [string, string, string])[];
  /** notes, by the names of their observers */
  readonly n?: Readonly<Record<string, string>> | undefined;
}

/** Writes a journal as the text to seal. */
export function writeJournal({ journal, binding, expires }: SealedJournal): string {
  const written: Written = {
    b: binding,
    x: expires,
    c: journal.callId,
    r: journal.round,
    a: [...journal.answers].map(([key, { question, result }]) =>
      question ? [key, result, question.digest, question.label] : [key, result],
    ),
    k: [...journal.kept].map(([key, kept]) => ('value' in kept ? [key, kept.value] : [key])),
    q: [...journal.asked].map(([key, { digest, label }]) => [key, digest, label]),
    n: journal.notes,
  };
  return JSON.stringify(written);
}

/** Reads a text that was sealed, so it was written by this code. */
export function readJournal(text: string): SealedJournal {
  // Authenticated encryption: only a server with this secret can have written it.
  const { b, x, c, r, a, k, q, n } = JSON.parse(text) as Written;
  return {
    binding: b,
    expires: x,
    journal: {
      callId: c,
      round: r,
      answers: new Map(a.map(([key, result, digest, label]) => [key, readAnswer(result, digest, label)])),
      kept: new Map(k.map((entry) => [entry[0], readKept(entry)])),
      asked: new Map(q.map(([key, digest, label]): [string, QuestionDigest] => [key, { digest, label }])),
      notes: n,
    },
  };
}

function readAnswer(result: JsonObject, digest: string | undefined, label = ''): JournaledAnswer {
  return { result, question: digest === undefined ? undefined : { digest, label } };
}

function readKept(entry: readonly [string, JsonValue?]): StoredValue {
  const [, value] = entry;
  return value === undefined ? {} : { value };
}
