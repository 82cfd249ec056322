/**
 * Questions to an issuer. Only a limited number are pending at a time; further ones wait briefly. No client takes all places,
 * because any client can make up tokens.
 */
import type { Clock } from '@sigil-mcp/core';
import { outOfReach } from './refusals';

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
interface Waiting {
  readonly client: string;
  readonly ask: () => void;
}

/** Asks questions in turn. */
export class QuestionQueue {
  #isCareful = false;
  readonly #asking = new Counts();
  readonly #queued = new Counts();
  readonly #waiting = new Set<Waiting>();

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
    if (!this.#hasRoom(client)) await this.#turnOf(client);
    else this.#asking.add(client);
    try {
      return await ask();
    } finally {
      this.#asking.remove(client);
      this.#goOn();
    }
  }

  #hasRoom(client: string): boolean {
    const most = this.#isCareful ? 1 : MOST;
    return this.#asking.all < most && this.#asking.of(client) < MOST_OF_CLIENT;
  }

  /** Resolves when a question has its place. */
  #turnOf(client: string): Promise<void> {
    if (this.#queued.all >= MOST_WAITING || this.#queued.of(client) >= MOST_WAITING_OF_CLIENT)
      return Promise.reject(outOfReach('The issuer is'));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        timer.close();
        this.#waiting.delete(waiting);
        this.#queued.remove(client);
      };
      const ask = (): void => {
        leave();
        this.#asking.add(client);
        resolve();
      };
      const waiting = { client, ask };
      const timer = this.clock.after(PATIENCE, () => {
        leave();
        reject(outOfReach('The issuer is'));
      });
      this.#waiting.add(waiting);
      this.#queued.add(client);
    });
  }

  #goOn(): void {
    for (const { client, ask } of this.#waiting) if (this.#hasRoom(client)) ask();
  }
}

/** Counts, in total and of each client. */
class Counts {
  all = 0;
  readonly #each = new Map<string, number>();

  of(client: string): number {
    return this.#each.get(client) ?? 0;
  }

  add(client: string): void {
    this.all += 1;
    this.#each.set(client, this.of(client) + 1);
  }

  remove(client: string): void {
    this.all -= 1;
    const left = this.of(client) - 1;
    if (left > 0) this.#each.set(client, left);
    else this.#each.delete(client);
  }
}
