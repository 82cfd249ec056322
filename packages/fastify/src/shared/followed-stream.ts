/** A stream that a client goes on with, wherever it is written: what stands in the store is sent, and then what is added. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';
import { isObject, type Clock } from '@sigil-mcp/core/adapter';
import type { InstanceBus, StreamName, StreamPart, StreamStore } from '@sigil-mcp/core/stores';
import type { SseStream } from '../streams/sse-stream';
import { eventId, type StreamManners } from './stream-manners';

/** Events that are read at once. */
const BATCH = 100;
/** Milliseconds after which somebody looks whether the owner of a silent stream is alive. */
const LOOK = 2000;

/** What a stream is followed with. */
export interface FollowedStreamInit {
  readonly name: StreamName;
  readonly connection: SseStream;
  readonly store: StreamStore;
  readonly bus: InstanceBus;
  /** The instance that follows it. */
  readonly instance: string;
  readonly manners: StreamManners;
  readonly clock: Clock;
}

/** What the owner of a stream has said of itself. */
export interface StreamOwner {
  readonly instance: string;
  /** Of the requests that it answers there. */
  readonly ids: readonly RequestId[];
}

/** How the owner of a stream is written into the store. */
export function writeOwner(owner: StreamOwner): string {
  return JSON.stringify(owner);
}

/** Follows from a place on, until the stream has ended or its client is gone. */
export class FollowedStream {
  readonly name: StreamName;
  #isFirst = true;
  #wake: () => void = () => undefined;
  #isWoken = false;
  /** When there was a word, or somebody looked whether one may come; at first nobody has. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly init: FollowedStreamInit,
    private place: number,
  ) {
    this.name = init.name;
    init.connection.onClose(() => this.#wakeUp());
  }

  get isConnected(): boolean {
    return this.init.connection.isOpen;
  }

  /** The client goes on elsewhere. */
  giveWay(): void {
    this.init.connection.giveWay();
  }

  /** Sends what was read already, and goes on from there. Resolves when there is nothing more to do; never rejects. */
  async run(part: StreamPart | undefined): Promise<void> {
    const { store, connection } = this.init;
    let stop: (() => void) | undefined;
    try {
      let next = part ?? (await this.#read());
      while (connection.isOpen) {
        // Who reads too slowly comes back for what is not kept any more, and is told so: nothing is left out in silence.
        if (!next || next.hasGap) return connection.end();
        await this.#send(next);
        if (next.isOver) return connection.end();
        if (next.events.length < BATCH) {
          stop ??= await store.follow(this.name, () => this.#wakeUp());
          if (next.events.length === 0) await this.#wait(next.owner);
        }
        next = await this.#read();
      }
    } catch {
      // The store is away: whoever comes back later goes on from what it has.
      connection.end();
    } finally {
      stop?.();
    }
  }

  async #send({ events, last }: StreamPart): Promise<void> {
    const { connection, manners } = this.init;
    for (const { place, data } of events) {
      const retry = this.#isFirst && manners.polling ? { retry: manners.retryInterval } : {};
      this.#isFirst = false;
      await connection.send({ id: eventId(this.name.stream, place), data, ...retry });
    }
    if (this.#isFirst) connection.open();
    this.#isFirst = false;
    if (events.length > 0) this.#lookedAt = this.init.clock.elapsed();
    this.place = last;
  }

  #read(): Promise<StreamPart | undefined> {
    return Promise.resolve(this.init.store.read(this.name, this.place, BATCH));
  }

  /** Waits for a word. Of an owner that is gone none will come: then the stream ends with an error for each of its requests. */
  async #wait(owner: string): Promise<void> {
    if (this.init.clock.elapsed() - this.#lookedAt >= LOOK) {
      this.#lookedAt = this.init.clock.elapsed();
      await this.#endOrphan(readOwner(owner));
    }
    await new Promise<void>((resolve) => {
      const timer = this.init.clock.after(LOOK, resolve).unref();
      this.#wake = () => {
        timer.close();
        resolve();
      };
      if (this.#isWoken || !this.init.connection.isOpen) this.#wake();
    });
    this.#isWoken = false;
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async #endOrphan({ instance, ids }: StreamOwner): Promise<void> {
    const { bus, store } = this.init;
    if (instance === this.init.instance || (await bus.isAlive(instance))) return;
    await store.end(this.name, writeLost(ids));
  }
}

function readOwner(text: string): StreamOwner {
  const owner: unknown = JSON.parse(text);
  if (!isObject(owner) || typeof owner['instance'] !== 'string' || !Array.isArray(owner['ids']))
    return { instance: '', ids: [] };
  return { instance: owner['instance'], ids: owner['ids'] as RequestId[] };
}

/** What stands for the answers of an instance that cannot give them. A batch is answered as one. */
export function writeLost(ids: readonly RequestId[]): string {
  const error = {
    code: ERROR_CODES['internal-error'],
    message:
      'The answer is lost: the instance of the server that ran this request is gone, or could not keep it. Whether it has done its work is not known.',
  };
  const [first, ...others] = ids.map((id) => writeError(id, error));
  return others.length === 0 ? (first ?? writeError(undefined, error)) : `[${[first, ...others].join(',')}]`;
}
