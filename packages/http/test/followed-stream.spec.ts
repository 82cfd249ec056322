/** A stream that a client goes on with at another instance than the one that writes it. */
import { MemoryStores } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { until } from '../../../test/behaviour/http/raw-request';
import { writeOwner } from '../src/streams/request-stream';
import { FollowedStream } from '../src/streams/session-streams';
import type { EventStream, SseEvent } from '../src/streams/event-stream';

const name = { session: 'session', stream: '0123456789abcdefx0' };

/** A connection whose client reads an event when it is let. */
class SlowConnection {
  isOpen = true;
  readonly events: SseEvent[] = [];
  readonly #reading: (() => void)[] = [];
  onClose(): void {}
  open(): void {}
  send(event: SseEvent): Promise<void> {
    this.events.push(event);
    return new Promise((resolve) => this.#reading.push(resolve));
  }
  end(): void {
    this.isOpen = false;
  }
  /** Reads what has been sent. */
  read(): void {
    for (const goOn of this.#reading.splice(0)) goOn();
  }
  get places(): number[] {
    return this.events.map(({ id = '' }) => Number(id.slice(id.lastIndexOf('-') + 1)));
  }
}

function follow(stores: MemoryStores, clock: ManualClock, place: number): [SlowConnection, Promise<void>] {
  const connection = new SlowConnection();
  const stream = new FollowedStream(
    {
      name,
      connection: connection as unknown as EventStream,
      store: stores.streams,
      instance: { id: 'here', stores },
      resumability: { polling: false, replay: true, retryInterval: 1 },
      clock,
    },
    place,
  );
  return [connection, stream.run(undefined)];
}

const write = ({ streams }: MemoryStores, from: number, to: number, isLast = false): void => {
  const events = Array.from({ length: to - from + 1 }, (_, index) => `{"n":${from + index}}`);
  streams.append(name, from - 1, events, isLast);
};

describe('a followed stream', () => {
  it('ends where its reader is too slow for what is kept, so that nothing is left out in silence [RESUME-003]', async () => {
    const clock = new ManualClock();
    const stores = new MemoryStores({ events: 5, keepFor: 60_000 }, clock);
    stores.streams.open(name, writeOwner({ instance: 'there', ids: [1] }));
    write(stores, 1, 4);
    const [connection, over] = follow(stores, clock, 2);
    await until(() => connection.events.length === 1);
    write(stores, 5, 20);
    for (let round = 0; connection.isOpen && round < 100; round++) {
      connection.read();
      await new Promise(setImmediate);
    }
    expect([connection.isOpen, connection.places]).toEqual([false, [3, 4]]);
    await over;
    // Who comes back with the last of them is told that what followed is gone.
    expect(stores.streams.read(name, 4, 100)).toMatchObject({ hasGap: true });
  });

  it('goes on to its end with a reader who is slow, but not too slow', async () => {
    const clock = new ManualClock();
    const stores = new MemoryStores({ events: 5, keepFor: 60_000 }, clock);
    stores.streams.open(name, writeOwner({ instance: 'there', ids: [1] }));
    write(stores, 1, 4);
    const [connection, over] = follow(stores, clock, 2);
    await until(() => connection.events.length === 1);
    write(stores, 5, 8, true);
    for (let round = 0; connection.isOpen && round < 100; round++) {
      connection.read();
      await new Promise(setImmediate);
    }
    expect([connection.isOpen, connection.places]).toEqual([false, [3, 4, 5, 6, 7, 8]]);
    await over;
  });
});
