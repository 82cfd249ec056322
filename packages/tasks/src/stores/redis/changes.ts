/** Publishes the changes of one process, and receives those of all. */
import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from '@sigil-mcp/core';
import { unawaited } from '@sigil-mcp/core/internal';
import type { WakeUps } from '@sigil-mcp/redis/adapter';
import type { TaskChanged } from '../task-store';
import { Watchers } from '../memory';

/** Milliseconds until a subscription that failed is tried again. */
const PAUSE = 1000;

/** Changes of this process whose message may still come. */
const MOST_REPORTED = 10_000;

/** A change, as it is published. */
export interface PublishedChange {
  /** The number of the change among those of this process. */
  readonly number: number;
  readonly message: string;
}

/** Subscribes while there are watchers. A change of this process is reported once: when it is done, or when its message is received. */
export class Changes {
  readonly #watchers = new Watchers();
  readonly #origin = randomBytes(9).toString('base64url');
  #number = 0;
  /** Changes of this process that were reported once, and may be known again from the command or its message; the oldest first. */
  readonly #reported = new Set<number>();
  /** The current subscription, also while it is tried; another object after it has ended. */
  #current: object | undefined;
  #stop: (() => void) | undefined;
  #retry: Timer | undefined;

  constructor(
    private readonly wakeUps: WakeUps,
    private readonly channels: readonly string[],
    private readonly clock: Clock,
  ) {}

  watch(changed: TaskChanged): () => void {
    const remove = this.#watchers.add(changed);
    if (!this.#current) unawaited(this.#subscribe((this.#current = {})));
    return () => {
      remove();
      if (this.#watchers.size === 0) this.#unsubscribe();
    };
  }

  /** The next change of this process, to be published by its command. */
  next(id: string, version: number): PublishedChange {
    const number = ++this.#number;
    return { number, message: `${this.#origin} ${number} ${id} ${version}` };
  }

  /** Reports a change of this process, whose command has succeeded. */
  done({ number }: PublishedChange, id: string, version: number): void {
    if (this.#isFirst(number)) this.#watchers.tell(id, version);
  }

  close(): void {
    this.#unsubscribe();
    this.wakeUps.close();
  }

  async #subscribe(current: object): Promise<void> {
    try {
      const stop = await this.#watchAll();
      if (this.#current !== current) return stop();
      this.#stop = stop;
      // What was published before is lost.
      this.#wake(undefined);
    } catch {
      if (this.#current === current)
        this.#retry = this.clock.after(PAUSE, () => unawaited(this.#subscribe(current))).unref();
    }
  }

  async #watchAll(): Promise<() => void> {
    const wake = (message: string | undefined): void => this.#wake(message);
    const watched = await Promise.allSettled(this.channels.map((channel) => this.wakeUps.watch(channel, wake)));
    const stop = (): void => watched.forEach((each) => each.status === 'fulfilled' && each.value());
    const failed = watched.find((each) => each.status === 'rejected');
    if (!failed) return stop;
    stop();
    throw failed.reason;
  }

  #unsubscribe(): void {
    this.#current = undefined;
    this.#stop?.();
    this.#stop = undefined;
    this.#retry?.close();
    this.#reported.clear();
  }

  #wake(message: string | undefined): void {
    const [origin, number, id, version] = message?.split(' ') ?? [];
    if (id === undefined) this.#watchers.tell(undefined, 0);
    else if (origin !== this.#origin || this.#isFirst(Number(number))) this.#watchers.tell(id, Number(version));
  }

  /**
   * Whether a change is known for the first time. While a subscription is tried, a message may follow already; messages that are lost leave
   * their numbers behind, as many as may be on their way at once.
   */
  #isFirst(number: number): boolean {
    if (this.#reported.delete(number)) return false;
    if (!this.#current) return true;
    this.#reported.add(number);
    if (this.#reported.size > MOST_REPORTED) this.#reported.delete(first(this.#reported));
    return true;
  }
}

function first(numbers: ReadonlySet<number>): number {
  const [number = 0] = numbers;
  return number;
}
