/** The stream of a call in a store that takes time, as a Redis does: what is written together, who waits, and what survives failures. */
import { MemoryStores, StoreAway, type StreamName, type StreamStore } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { runs } from '../../../test/support/matrix';
import type { EventStream } from '../src/streams/event-stream';
import { RequestStream } from '../src/streams/request-stream';
import { TestConnection } from './session-instance';
import fc from 'fast-check';

/** What happens to one command: it fails before it is carried out, after that, or not at all. */
type Fate = 'lost' | 'unheard' | 'done';

const NAME: StreamName = { session: 's', stream: 'a' };

/** Streams in memory, each command of which takes a turn of the event loop, and may fail. */
class DistantStreams {
  readonly said: string[] = [];
  readonly #near = new MemoryStores().streams;

  constructor(private readonly fates: Fate[] = []) {}

  get store(): StreamStore {
    return {
      open: (name, owner) => this.#send('open', () => this.#near.open(name, owner)),
      append: (name, after, events, isLast) =>
        this.#send(`append ${events.length}`, () => this.#near.append(name, after, events, isLast)),
      end: (name, data) => this.#send('end', () => this.#near.end(name, data)),
      read: (name, after, most) => this.#near.read(name, after, most),
      follow: (name, wake) => this.#near.follow(name, wake),
      forget: (name) => this.#near.forget(name),
    };
  }

  /** The events in the store, and whether the stream has ended there. */
  get stored(): { readonly data: readonly string[]; readonly isOver: boolean | undefined } {
    const part = this.#near.read(NAME, 0, 1000);
    return { data: part?.events.map(({ data }) => data) ?? [], isOver: part?.isOver };
  }

  async #send<Result>(what: string, carryOut: () => Result): Promise<Result> {
    this.said.push(what);
    const fate = this.fates.shift() ?? 'done';
    await turn();
    if (fate === 'lost') throw new StoreAway();
    const result = carryOut();
    await turn();
    if (fate === 'unheard') throw new StoreAway();
    return result;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Trial {
  readonly connection = new TestConnection();
  readonly clock = new ManualClock();
  readonly streams: DistantStreams;
  readonly stream: RequestStream;
  elsewhere: number | undefined;
  isOver = false;

  constructor(polling: boolean, fates?: Fate[]) {
    this.streams = new DistantStreams(fates);
    this.stream = new RequestStream({
      name: NAME,
      instance: 'i',
      ids: [1],
      // The connection of the tests has what the stream uses of one.
      connection: this.connection as unknown as EventStream,
      store: this.streams.store,
      resumability: { polling, replay: true, retryInterval: 1000 },
      clock: this.clock,
      over: (_stream, rest) => {
        this.isOver = true;
        this.elsewhere = rest?.place;
      },
    });
  }

  /** Lets time pass until the stream is over. */
  async ended(): Promise<void> {
    for (let step = 0; step < 400 && !this.isOver; step++) {
      await turn();
      if (step % 4 === 3) await this.clock.advance(250);
    }
    await turn();
  }
}

describe.each([
  ['with an id at its beginning', true],
  ['that begins with its first message', false],
])('a stream %s', (_what, polling) => {
  it('lets a call go on while the store is written, and writes what comes meanwhile together', async () => {
    const trial = new Trial(polling);
    for (const text of ['1', '2', '3', '4', '5']) await trial.stream.send(text);
    trial.stream.end(['answer']);
    await trial.ended();
    expect(trial.connection.data.filter((text) => text !== '')).toEqual(['1', '2', '3', '4', '5', 'answer']);
    expect(trial.streams.stored).toEqual({ data: ['1', '2', '3', '4', '5', 'answer'], isOver: true });
    // The opening, what was there by then, and the rest.
    expect(trial.streams.said.length).toBeLessThanOrEqual(3);
  });

  it('sends nothing that the store does not have', async () => {
    const trial = new Trial(polling);
    void trial.stream.send('first');
    await turn();
    expect(trial.connection.data).not.toContain('first');
    expect(trial.streams.stored.data).not.toContain('second');
    await trial.stream.send('second');
    trial.stream.end([]);
    await trial.ended();
    expect(trial.connection.data.slice(-2)).toEqual(['first', 'second']);
  });

  it('makes a call wait that is far ahead of the store, until the store has what it sent', async () => {
    const trial = new Trial(polling);
    const long = 'x'.repeat(10_000);
    expect(trial.stream.send(long)).toBeUndefined();
    const waits = trial.stream.send(long);
    expect(waits).toBeInstanceOf(Promise);
    await waits;
    expect(trial.streams.stored.data).toEqual([long, long]);
    expect(trial.stream.send('short')).toBeUndefined();
  });

  it('holds nothing that is sent after another instance has ended it', async () => {
    const trial = new Trial(polling);
    const { stream, streams } = trial;
    void stream.send('one');
    for (let turns = 0; turns < 8; turns++) await turn();
    await streams.store.end(NAME);
    void stream.send('two');
    await trial.ended();
    expect(trial.elsewhere).toBe(1);
    for (let message = 0; message < 3; message++) void stream.send('x'.repeat(100_000));
    stream.end(['last']);
    expect(stream.unwritten).toBe(0);
    expect(streams.stored).toEqual({ data: ['one'], isOver: true });
  });

  it('tells each message once and in order, whatever fails of what it writes', async () => {
    const fates = fc.array(fc.constantFrom<Fate>('lost', 'unheard', 'done'), { maxLength: 12 });
    // Between two messages the call may do something else.
    const pauses = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fates, pauses, async (failing, steps) => {
        const trial = new Trial(polling, failing);
        const texts = steps.map((_, index) => `message ${index}`);
        for (const [index, text] of texts.entries()) {
          void trial.stream.send(text);
          for (let turns = 0; turns < (steps[index] ?? 0); turns++) await turn();
        }
        trial.stream.end(['answer']);
        await trial.ended();
        expect(trial.isOver).toBe(true);
        const all = [...texts, 'answer'];
        // An end that was carried out and not heard of is read from the store, from the last place that the client has.
        const seen = trial.connection.data.filter((text) => text !== '');
        if (trial.elsewhere === undefined) expect(seen).toEqual(all);
        else expect([...seen, ...all.slice(trial.elsewhere)]).toEqual(all);
        expect(trial.streams.stored).toEqual({ data: all, isOver: true });
      }),
      { numRuns: runs(150) },
    );
  });
});
