/** A resumed stream, which any instance may write: sends the stored events, and then new ones. */
import { unawaited, type Clock, type Instance, type MaybePromise, isObject } from '@sigil-mcp/core/adapter';
import type { StreamName, StreamPart, StreamStore } from '@sigil-mcp/core/stores';
import { eventId } from './event-id';
import type { EventStream } from './event-stream';
import type { Resumability } from './resumability';
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';

/** The owner of a stream, from its own record. */
interface StreamOwner {
  readonly instance: string;
  /** The ids of the requests that it answers there. */
  readonly ids: readonly RequestId[];
}

/** The number of events that are read at once. */
const BATCH = 100;
/** Milliseconds after which the owner of a silent stream is checked. */
const LOOK = 2000;

/** The options of a followed stream. */
export interface FollowedStreamInit {
  readonly name: StreamName;
  readonly connection: EventStream;
  readonly store: StreamStore;
  /** This process, and its way to the owner of the stream. */
  readonly instance: Pick<Instance, 'id' | 'stores'>;
  readonly resumability: Resumability;
  readonly clock: Clock;
}

/** Follows a stream from a position, until it has ended or its client has disconnected. */
export class FollowedStream {
  readonly name: StreamName;
  #isFirst = true;
  #wake: () => void = () => undefined;
  #isWoken = false;
  /** The time of the last event, or of the last check of the owner. */
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

  /** The client has resumed the stream on another connection. */
  giveWay(): void {
    this.init.connection.giveWay();
  }

  /**
   * Sends the part that was read already, at once: what has ended is then a whole response, which is counted as one. Continues from there.
   * Resolves at the end; never rejects.
   */
  run(part: StreamPart | undefined): Promise<void> {
    if (part) for (const room of this.#sendAll(part)) unawaited(room);
    if (!part?.isOver) return this.#follow();
    this.init.connection.end('answered');
    return Promise.resolve();
  }

  async #follow(): Promise<void> {
    const { store, connection } = this.init;
    let stop: (() => void) | undefined;
    try {
      while (connection.isOpen) {
        const part = await this.#read();
        // A client that reads too slowly reconnects for events that are no longer stored, and receives an error: no event is lost silently.
        if (!part || part.hasGap) return connection.end('failed');
        for (const room of this.#sendAll(part)) if (room) await room;
        if (part.isOver) return connection.end('answered');
        if (part.events.length === BATCH) continue;
        stop ??= await store.follow(this.name, () => this.#wakeUp());
        if (part.events.length === 0) await this.#wait(part.owner);
      }
    } catch {
      // The store is unreachable: when the client reconnects, it continues after the last event that it has.
      connection.end('failed');
    } finally {
      stop?.();
    }
  }

  /** Sends events one by one. Yields, after each, a promise if the client reads too slowly. */
  *#sendAll({ events, last }: StreamPart): Generator<MaybePromise<void>> {
    const { connection, resumability, clock } = this.init;
    for (const { place, data } of events) {
      const retry = this.#isFirst && resumability.polling ? { retry: resumability.retryInterval } : {};
      this.#isFirst = false;
      yield connection.send({ id: eventId(this.name.stream, place), data, ...retry });
    }
    this.#isFirst = false;
    if (events.length > 0) this.#lookedAt = clock.elapsed();
    this.place = last;
  }

  #read(): Promise<StreamPart | undefined> {
    return Promise.resolve(this.init.store.read(this.name, this.place, BATCH));
  }

  /** Waits for events. A dead owner will not send any: then the stream ends with an error for each of its requests. */
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
    const { instance: own, store } = this.init;
    if (instance === own.id || (await own.stores.bus.isAlive(instance))) return;
    await store.end(this.name, writeLost(ids));
  }
}

/** Serializes the owner of a stream for the store. */
export function writeOwner(owner: StreamOwner): string {
  return JSON.stringify(owner);
}

/** Reads the owner of a stream; one that no instance is, if another version has written it, or if the stream has ended. */
export function readOwner(text: string): StreamOwner {
  const owner: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isObject(owner) || typeof owner['instance'] !== 'string' || !Array.isArray(owner['ids']))
    return { instance: '', ids: [] };
  return { instance: owner['instance'], ids: owner['ids'] as RequestId[] };
}

/** The errors in place of answers that an instance cannot give. A batch is answered as one. */
export function writeLost(ids: readonly RequestId[]): string {
  const error = {
    code: ERROR_CODES['internal-error'],
    message:
      'The answer is lost: the server instance that ran this request has ended, or could not store the answer. It is not known whether the request was completed.',
  };
  const [first, ...others] = ids.map((id) => writeError(id, error));
  return others.length === 0 ? (first ?? writeError(undefined, error)) : `[${[first, ...others].join(',')}]`;
}
