/**
 * Questions of a call without a request: what its memory knows is answered from there; the rest goes the way that the code which started the
 * call offers, and the handler waits in this process.
 */
import {
  weightOfValue,
  type InputRequiredResult,
  type JsonObject,
  type Revision,
  type WrittenServerRequest,
} from '@sigil-mcp/protocol';
import type { MaybePromise } from '@sigil-mcp/base';
import { sigilError } from '../errors/catalogue';
import type { CallMemory, StoredValue } from './call-memory';
import { type Question, Suspension } from './question';
import type { Questions } from './questions';

/** A question of such a call, ready to be sent. */
export interface LiveQuestion {
  /** Its name within the call; no other question of the call has it. */
  readonly key: string;
  /** To be kept with the answer, as in `RememberedAnswer`. */
  readonly digest: string;
  /** For people: `elicitation/create "Really?"`. */
  readonly label: string;
  /** As the revision writes it. */
  readonly request: WrittenServerRequest;
}

/** The way of its questions, and of what it keeps. */
export interface LiveWay {
  /** Asks the client; called once for each key. Resolves to the result that the client answers with, as it came. */
  ask(question: LiveQuestion): Promise<JsonObject>;
  /** Keeps a result of `once`; the handler goes on when it is kept. */
  keep(key: string, value: StoredValue): MaybePromise<void>;
  /** Called before `once` runs something new. Throws if nothing of this run would be kept, as where another process has the call now. */
  check?(): void;
}

/** The questions of one run of such a call. */
export class LiveQuestions implements Questions {
  readonly unreachable = undefined;
  readonly round = 1;
  readonly #kept: Map<string, StoredValue>;
  /** Questions that wait for an answer: what ends the wait of each. */
  readonly #waiting = new Set<(reason: Error) => void>();
  #ending: ((label: string) => Error) | undefined;
  /** Counts the bytes of an answer, for as long as its call may use it. */
  hold: (bytes: number) => void = () => undefined;
  /** The label of the question that was asked last. */
  #newest = '';

  constructor(
    private readonly known: CallMemory,
    private readonly way: LiveWay,
    private readonly revision: Revision,
  ) {
    this.#kept = new Map(Object.entries(known.kept));
  }

  get callId(): string {
    return this.known.callId;
  }

  get memory(): CallMemory {
    return { ...this.known, kept: Object.fromEntries(this.#kept) };
  }

  async ask({ key, digest, label, request }: Question): Promise<JsonObject> {
    if (this.#ending) throw this.#ending(label);
    const answer = Object.hasOwn(this.known.answers, key) ? this.known.answers[key] : undefined;
    if (answer?.digest !== undefined && answer.digest !== digest)
      throw sigilError('SIGIL_QUESTION_CHANGED', {
        key: JSON.stringify(key),
        before: answer.label ?? key,
        question: label,
      });
    if (answer) return answer.result;
    return this.#wait(label, this.way.ask({ key, digest, label, request: this.revision.writeServerRequest(request) }));
  }

  /** Throws where the run has ended: what `once` would run now is not kept, and would run again with the next run. */
  recall(key: string): StoredValue | undefined {
    const kept = this.#kept.get(key);
    if (kept) return kept;
    if (this.#ending) throw this.#ending(this.#newest);
    this.way.check?.();
    return undefined;
  }

  async keep(key: string, kept: StoredValue): Promise<void> {
    await this.way.keep(key, kept);
    this.#kept.set(key, kept);
  }

  settle(): InputRequiredResult | undefined {
    return undefined;
  }

  close(reason: Error): void {
    this.#end(() => reason);
  }

  /** Ends the run at its questions, those that wait and those to come: the call runs again, in another process. */
  suspend(): void {
    this.#end((label) => new Suspension(label));
  }

  #end(because: (label: string) => Error): void {
    this.#ending ??= because;
    for (const end of [...this.#waiting]) end(because(''));
  }

  #wait(label: string, answer: Promise<JsonObject>): Promise<JsonObject> {
    this.#newest = label;
    return new Promise((resolve, reject) => {
      const end = (reason: Error): void => {
        this.#waiting.delete(end);
        reject(this.#ending?.(label) ?? reason);
      };
      this.#waiting.add(end);
      answer.then(
        (result) => {
          this.#waiting.delete(end);
          this.hold(weightOfValue(result));
          resolve(result);
        },
        (error: unknown) => end(error as Error),
      );
    });
  }
}
