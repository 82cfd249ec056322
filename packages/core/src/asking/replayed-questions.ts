/**
 * Questions to a client that cannot be sent anything: what is in the journal is answered, the rest ends the round. The
 * client sends its request again with the answers, and the handler runs again.
 */
import {
  type InputRequiredResult,
  type JsonObject,
  type ServerRequest,
  type WrittenServerRequest,
} from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import { SwallowedSuspension } from '../errors/failures';
import { memoryOf, type CallMemory, type Journal, type JournaledAnswer, type StoredValue } from './call-memory';
import { type QuestionDigest, type Question, Suspension, isSuspension } from './question';
import type { Questions } from './questions';

/** How a journal and its questions are written for the client. */
export interface JournalWriter {
  readonly writeRequest: (request: ServerRequest) => WrittenServerRequest;
  /** The `requestState` for a journal. */
  readonly writeState: (journal: Journal) => string;
}

/** A question without an answer. */
interface Open {
  readonly question: Question;
  readonly suspension: Suspension;
  /** Settles with the suspension when the round closes. */
  readonly ending: Promise<never>;
}

/** The questions of one round of a call. */
export class ReplayedQuestions implements Questions {
  readonly unreachable = undefined;
  readonly round: number;
  readonly callId: string;
  readonly #kept: Map<string, StoredValue>;
  readonly #open = new Map<string, Open>();
  readonly #endings: (() => void)[] = [];
  /** The questions whose answers were there, by their keys. */
  readonly #answered = new Map<string, QuestionDigest>();
  #isClosed = false;

  constructor(
    private readonly journal: Journal,
    private readonly writer: JournalWriter,
  ) {
    const { round, callId, kept } = journal;
    this.round = round;
    this.callId = callId;
    this.#kept = new Map(kept);
  }

  ask(question: Question): Promise<JsonObject> {
    const answer = this.journal.answers.get(question.key);
    if (answer) {
      this.#answered.set(question.key, { digest: question.digest, label: question.label });
      return take(answer, question);
    }
    const open = this.#open.get(question.key);
    if (open) return open.ending;
    const suspension = new Suspension(question.label);
    return this.#isClosed ? Promise.reject(suspension) : this.#wait(question, suspension);
  }

  get memory(): CallMemory {
    const { callId, answers } = this.journal;
    const settled = [...answers].flatMap(([key, answer]) => this.#settled(key, answer));
    return memoryOf({ callId, answers: new Map(settled), kept: this.#kept });
  }

  recall(key: string): StoredValue | undefined {
    return this.#kept.get(key);
  }

  keep(key: string, kept: StoredValue): void {
    this.#kept.set(key, kept);
  }

  settle(error?: unknown): InputRequiredResult | undefined {
    const [first] = this.#open.values();
    if (!first) return undefined;
    if (isSuspension(error)) return this.#inputRequired();
    this.#open.clear();
    // A failure that came before anything was suspended is the handler's own, and its questions are no longer asked.
    if (error !== undefined && !this.#isClosed) return undefined;
    throw new SwallowedSuspension(first.question.label, first.suspension, error);
  }

  close(): void {
    this.#open.clear();
  }

  #wait(question: Question, suspension: Suspension): Promise<never> {
    const ending = new Promise<never>((_resolve, reject) => this.#endings.push(() => reject(suspension)));
    if (this.#open.size === 0) this.#closeAfter(1);
    this.#open.set(question.key, { question, suspension, ending });
    return ending;
  }

  /** The round closes when a turn of the event loop brings no further question. */
  #closeAfter(known: number): void {
    setImmediate(() => {
      if (this.#open.size > known) this.#closeAfter(this.#open.size);
      else this.#closeRound();
    });
  }

  #closeRound(): void {
    this.#isClosed = this.#open.size > 0;
    for (const end of this.#endings) end();
  }

  /**
   * An answer with its key, for the journal of the next round; empty for an answer to a question that was not asked. An answer that
   * arrived without a state belongs to its question from now on.
   */
  #settled(key: string, { question = this.#answered.get(key), result }: JournaledAnswer): [string, JournaledAnswer][] {
    return question ? [[key, { question, result }]] : [];
  }

  #inputRequired(): InputRequiredResult {
    const { journal } = this;
    const { writeRequest, writeState } = this.writer;
    const questions = [...this.#open.values()].map(({ question }) => question);
    const next: Journal = {
      callId: journal.callId,
      round: journal.round + 1,
      answers: new Map([...journal.answers].flatMap(([key, answer]) => this.#settled(key, answer))),
      kept: this.#kept,
      asked: new Map(questions.map(({ key, digest, label }) => [key, { digest, label }])),
    };
    return {
      inputRequests: Object.fromEntries(questions.map(({ key, request }) => [key, writeRequest(request)])),
      requestState: writeState(next),
    };
  }
}

function take({ question, result }: JournaledAnswer, { key, digest, label }: Question): Promise<JsonObject> {
  if (!question || question.digest === digest) return Promise.resolve(result);
  const words = { key: JSON.stringify(key), before: question.label, question: label };
  return Promise.reject(sigilError('SIGIL_QUESTION_CHANGED', words));
}
