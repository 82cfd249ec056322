/**
 * Questions to an issuer. Only a limited number are pending at a time; further ones wait briefly. No client takes all places,
 * because any client can make up tokens.
 */
import type { Clock } from '@sigil-mcp/core';
import { Budget } from '@sigil-mcp/core/internal';
import { outOfReach } from './claims';

/** Questions pending at one time. */
const MOST = 100;
/** Of one client. */
const MOST_OF_CLIENT = 25;
/** Questions that wait for their turn. */
const MOST_WAITING = 1000;
/** Of one client. */
const MOST_WAITING_OF_CLIENT = 100;
/** Milliseconds that a question waits for its turn. */
const PATIENCE = 2000;

/** A question that waits for its turn. */
interface QueueEntry {
  readonly client: string;
  readonly ask: () => void;
}

/** Asks questions in turn. */
export class QuestionQueue {
  #isCareful = false;
  readonly #asking = new Budget<string>();
  readonly #queued = new Budget<string>();
  readonly #waiting = new Set<QueueEntry>();

  constructor(private readonly clock: Clock) {}

  /** Asks one question at a time from now on, because the issuer does not answer them; or as many as usual. */
  beCareful(isCareful: boolean): void {
    this.#isCareful = isCareful;
  }

  /**
   * Asks a question when its turn comes.
   * @param client the client whose share it counts against
   * @returns what `ask` resolves to; rejects as `ask` does, or with a `Denial` with 503 if its turn does not come
   */
  async run<T>(client: string, ask: () => Promise<T>): Promise<T> {
    const leave = this.#hasRoom(client) ? this.#asking.take(client) : await this.#turnOf(client);
    try {
      return await ask();
    } finally {
      leave();
      this.#goOn();
    }
  }

  #hasRoom(client: string): boolean {
    const most = this.#isCareful ? 1 : MOST;
    return this.#asking.all < most && this.#asking.of(client) < MOST_OF_CLIENT;
  }

  /** Resolves when a question has its place, with what gives it back. */
  #turnOf(client: string): Promise<() => void> {
    if (this.#queued.all >= MOST_WAITING || this.#queued.of(client) >= MOST_WAITING_OF_CLIENT)
      return Promise.reject(outOfReach('The issuer is'));
    const giveBack = this.#queued.take(client);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        timer.close();
        this.#waiting.delete(waiting);
        giveBack();
      };
      const ask = (): void => {
        leave();
        resolve(this.#asking.take(client));
      };
      const waiting = { client, ask };
      const timer = this.clock.after(PATIENCE, () => {
        leave();
        reject(outOfReach('The issuer is'));
      });
      this.#waiting.add(waiting);
    });
  }

  #goOn(): void {
    for (const { client, ask } of this.#waiting) if (this.#hasRoom(client)) ask();
  }
}
