/** The log of a session: what it replays, and that it never grows without end. */
import fc from 'fast-check';
import { EventLog, LogStream } from '../src/sessions/event-log';
import { EventStore } from '../src/sessions/event-store';

const LIMITS = { streamEvents: 1000, sessionEvents: 1024 * 1024, events: 64 * 1024 * 1024 };

/** A log whose streams are known by their names. */
class NamedLog extends EventLog {
  readonly #named = new Map<string, LogStream>();

  named(name: string): LogStream {
    const stream = this.#named.get(name) ?? new LogStream(name);
    this.#named.set(name, stream);
    return stream;
  }

  add(name: string, data: string): string {
    return this.append(this.named(name), data);
  }

  /** Nothing more is added to a stream. */
  close(name: string): void {
    this.#named.delete(name);
  }

  find(id: string): ReturnType<EventLog['after']> {
    return this.after(id, [...this.#named.values()]);
  }
}

const newLog = (limits: Partial<typeof LIMITS> = {}): NamedLog => newLogOf(new EventStore({ ...LIMITS, ...limits }));
const newLogOf = (store: EventStore): NamedLog => new NamedLog(store);
const dataAfter = (log: NamedLog, id: string): string | string[] => {
  const replay = log.find(id);
  return typeof replay === 'string' ? replay : replay.events.map(({ data }) => data);
};

describe('an event log', () => {
  it('replays what followed an event on its own stream [RESUME-003, RESUME-004]', () => {
    const log = newLog();
    const [first = ''] = ['a1', 'a2'].map((data) => log.add('a', data));
    log.add('b', 'b1');
    log.add('a', 'a3');
    expect(log.find(first)).toMatchObject({ stream: { name: 'a' } });
    expect(dataAfter(log, first)).toEqual(['a2', 'a3']);
  });

  it('replays all of a stream after a mark that came before it', () => {
    const log = newLog();
    const mark = log.mark(log.named('a'));
    log.add('a', 'a1');
    expect([log.size, dataAfter(log, mark)]).toEqual([1, ['a1']]);
  });

  it('knows no ids that it cannot have given out', () => {
    const log = newLog();
    log.add('a', 'x');
    for (const id of [
      '',
      'a',
      'a-',
      '-',
      'a-1',
      'a--1',
      'a-0.5',
      'a-00',
      'a-0x0',
      'a-1e0',
      'a- 0',
      'a-0 ',
      'a-Infinity',
    ])
      expect(log.find(id)).toBe('unknown');
  });

  it('gives out every id once, however much it has forgotten [RESUME-002]', () => {
    const log = newLog();
    const ids = new Set(Array.from({ length: 5000 }, (_, n) => log.add(n % 3 ? `r${n % 5}` : 'session', 'x')));
    expect(ids.size).toBe(5000);
    expect(log.size).toBeLessThan(5000);
  });

  it('keeps the newest of a stream, of a session and of all, and says where something is missing', () => {
    const sizes = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.oneof(fc.nat(40), fc.nat(600))), { maxLength: 200 });
    const limits = fc.record({
      streamEvents: fc.integer({ min: 1, max: 50 }),
      sessionEvents: fc.integer({ min: 1, max: 2000 }),
      events: fc.integer({ min: 1, max: 2000 }),
    });
    fc.assert(
      fc.property(sizes, limits, (lengths, most) => {
        const store = new EventStore(most);
        const [log, other] = [newLogOf(store), newLogOf(store)];
        const sent: Record<string, { id: string; data: string }[]> = { a: [], b: [] };
        for (const [index, [stream, length]] of lengths.entries()) {
          const data = `${index}`.padEnd(length, '.');
          sent[stream]?.push({ id: log.add(stream, data), data });
          other.add('c', data);
        }
        for (const [stream, events] of Object.entries(sent)) {
          const kept = log.since(log.named(stream)).map(({ data }) => data);
          expect(kept).toEqual(events.map(({ data }) => data).slice(events.length - kept.length));
          expect(kept.length).toBeLessThanOrEqual(most.streamEvents);
          for (const [index, { id }] of events.entries()) {
            const isWhole = index >= events.length - kept.length - 1;
            expect(dataAfter(log, id)).toEqual(isWhole ? events.slice(index + 1).map(({ data }) => data) : 'gone');
          }
        }
        expect(log.size + other.size <= 1 || store.characters <= most.events).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('takes the oldest of all sessions first where there are too many', () => {
    const store = new EventStore({ ...LIMITS, events: 10 });
    const [quiet, busy] = [newLogOf(store), newLogOf(store)];
    const id = quiet.add('a', '1234');
    const next = quiet.add('a', '56');
    for (const data of ['789', '0ab']) busy.add('a', data);
    expect([dataAfter(quiet, id), quiet.size, busy.size, store.characters]).toEqual([['56'], 1, 2, 8]);
    busy.add('a', 'cdef');
    expect([dataAfter(quiet, id), dataAfter(quiet, next), busy.size]).toEqual(['gone', [], 3]);
  });

  it('forgets a stream that was delivered, and a stream that is over with its last event', () => {
    const store = new EventStore({ ...LIMITS, sessionEvents: 10 });
    const log = newLogOf(store);
    const first = log.add('a', '12345');
    log.close('a');
    expect(dataAfter(log, first)).toEqual([]);
    const second = log.add('b', '1234567890');
    expect([dataAfter(log, first), dataAfter(log, second)]).toEqual(['gone', []]);
    log.release(log.named('b'));
    log.close('b');
    expect([dataAfter(log, second), log.size, store.characters]).toEqual(['gone', 0, 0]);
    log.end();
    // An exchange that was cut off has yet to say so.
    log.add('c', 'The client ended the session.');
    expect([log.size, store.characters]).toEqual([0, 0]);
  });
});
