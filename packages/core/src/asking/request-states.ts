/**
 * `requestState`: the journal of a call while the client holds it. It is sealed, and valid for one call of one caller and for a
 * limited time. Any other state is refused, never answered with a new question.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { createHash, createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ProtocolError, type JsonValue, type Method, type JsonObject } from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import type { Journal, JournaledAnswer, StoredValue } from './call-memory';
import type { Clock } from '@sigil-mcp/base';
import type { QuestionDigest } from './question';

const ALGORITHM = 'aes-256-gcm';

const VERSION = 1;

const IV_BYTES = 12;

const TAG_BYTES = 16;

const HEAD_BYTES = 1 + IV_BYTES;

/** Seals with the first of its secrets and opens with any. */
export class Seal {
  readonly #keys: readonly Buffer[];

  /** @param purpose keeps a text that was sealed for one purpose from being opened for another */
  constructor(secrets: readonly string[], purpose: string) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  }

  /** The text as base64url. Without the secret it can be neither read nor changed. */
  seal(text: string): string {
    const [key] = this.#keys;
    if (!key) throw sigilError('SIGIL_INTERNAL', { what: 'a seal has no secret' });
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv);
    const sealed = Buffer.concat([Buffer.of(VERSION), iv, cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The text that was sealed; undefined for any other input. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    // The decoder skips characters that are not base64url; a text with such characters added is not the one that was issued.
    if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION || bytes.toString('base64url') !== sealed)
      return undefined;
    for (const key of this.#keys) {
      const text = openWith(key, bytes);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** A journal with the call that it is good for, and until when. */
interface SealedJournal {
  readonly journal: Journal;
  /** A digest of the call that the journal belongs to. */
  readonly binding: string;
  /** When the journal is good no longer, in milliseconds since 1970. */
  readonly expires: number;
}

/** Short names: this travels with every round. */
interface StateRecord {
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

/** What states are sealed with. */
export interface RequestStatesOptions {
  /** The name of the server: another one does not open its states, though it has the same secret. */
  readonly server: string;
  /** Secrets: the first seals, all of them open. */
  readonly secrets: readonly string[];
  /** Milliseconds for which a state is good. */
  readonly lifetime: number;
  /** Characters that a state may have. */
  readonly maximum: number;
  /** Called once, when a client gets a state over HTTP that only this process can open. */
  readonly warn: (() => void) | undefined;
  readonly clock: Clock;
}

/** The call that a state belongs to. */
export interface StateOwner {
  readonly method: Method;
  /** Neutral parameters. */
  readonly params: object;
  /** Of the caller; undefined if no caller was authenticated. */
  readonly principal: string | undefined;
}

/** Writes and reads the states of one server. */
export class RequestStates {
  readonly #seal: Seal;
  #hasWarned = false;

  constructor(private readonly options: RequestStatesOptions) {
    this.#seal = new Seal(options.secrets, `sigil requestState 1 ${options.server}`);
  }

  /**
   * Seals the journal of a call as its `requestState`.
   * @param staysHere whether the client is on a pipe that no other process serves
   * @throws SigilError where the state would become too long to travel
   */
  write(journal: Journal, owner: StateOwner, staysHere: boolean): string {
    const { lifetime, maximum, warn, clock } = this.options;
    if (!staysHere && !this.#hasWarned) warn?.();
    this.#hasWarned ||= !staysHere;
    const expires = clock.now() + lifetime;
    const state = this.#seal.seal(writeJournal({ journal, binding: bindingOf(owner), expires }));
    if (state.length <= maximum) return state;
    throw sigilError('SIGIL_STATE_TOO_LONG', { length: state.length, maximum });
  }

  /**
   * Opens the `requestState` of a call.
   * @throws ProtocolError `invalid-params` for everything that was not written for this very call, or is too old
   */
  read(state: string, owner: StateOwner): Journal {
    if (state.length > this.options.maximum)
      throw invalidState(`requestState is longer than ${this.options.maximum} characters.`);
    const text = this.#seal.open(state);
    if (text === undefined)
      throw invalidState(
        'requestState cannot be opened: it was changed, cut short, or sealed by a server with another secret.',
      );
    const { journal, binding, expires } = readJournal(text);
    if (binding !== bindingOf(owner))
      throw invalidState('requestState belongs to another request, or to another caller.');
    if (expires < this.options.clock.now())
      throw invalidState('requestState has expired. Send the request again without it.');
    return journal;
  }

  /** The notes of observers in a state, without checking that it belongs to the call; undefined for a text that cannot be opened. */
  notesIn(state: string): Journal['notes'] {
    const text = state.length > this.options.maximum ? undefined : this.#seal.open(state);
    return text === undefined ? undefined : readJournal(text).journal.notes;
  }
}

function invalidState(message: string): ProtocolError {
  return new ProtocolError('invalid-params', message);
}

/** A digest of a call and its caller. The order of members does not count: a client that repeats its parameters may change it. */
function bindingOf({ method, params, principal }: StateOwner): string {
  // Parameters are JSON: they came as such, and reading them makes nothing else of them.
  const words = canonical([method, params as JsonValue, principal ?? null]);
  return createHash('sha256').update(words).digest('base64url');
}

function canonical(value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Writes a journal as the text to seal. */
function writeJournal({ journal, binding, expires }: SealedJournal): string {
  const written: StateRecord = {
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
function readJournal(text: string): SealedJournal {
  // Authenticated encryption: only a server with this secret can have written it.
  const { b, x, c, r, a, k, q, n } = JSON.parse(text) as StateRecord;
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

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined; // the tag does not match: another secret, or another text
  }
}
