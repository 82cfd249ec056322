/** The log of a session: what it replays, and that it never grows without end. */
import fc from 'fast-check';
import { EventLog } from '../src/sessions/event-log';

const dataAfter = (log: EventLog, id: string): string[] | undefined => log.after(id)?.events.map(({ data }) => data);

describe('an event log', () => {
  it('replays what followed an event on its own stream [RESUME-003, RESUME-004]', () => {
    const log = new EventLog();
    const [first = ''] = ['a1', 'a2'].map((data) => log.append('a', data));
    log.append('b', 'b1');
    log.append('a', 'a3');
    expect(log.after(first)).toMatchObject({ stream: 'a', isLogged: true });
    expect(dataAfter(log, first)).toEqual(['a2', 'a3']);
  });

  it('replays all of a stream after a mark that came before it', () => {
    const log = new EventLog();
    const mark = log.mark('a');
    log.append('a', 'a1');
    expect([log.size, dataAfter(log, mark)]).toEqual([1, ['a1']]);
  });

  it('knows no ids that it cannot have given out', () => {
    const log = new EventLog();
    log.append('a', 'x');
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
      expect(log.after(id)).toBeUndefined();
    expect(log.after('b-0')).toEqual({ stream: 'b', events: [], isLogged: false });
  });

  it('gives out every id once, however much it has forgotten [RESUME-002]', () => {
    const log = new EventLog();
    const ids = new Set(Array.from({ length: 5000 }, (_, n) => log.append(n % 3 ? `r${n}` : 'session', 'x')));
    expect([ids.size, log.size]).toEqual([5000, 1000]);
  });

  it('is bounded in events and in characters, and keeps the newest', () => {
    const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(400_000)), { maxLength: 200 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const log = new EventLog();
        const mark = log.mark('a');
        const sent = lengths.map((length, index) => {
          const data = `${index}`.padEnd(length, '.');
          log.append('a', data);
          return data;
        });
        const kept = dataAfter(log, mark) ?? [];
        expect(kept).toEqual(sent.slice(sent.length - kept.length));
        expect(kept.length === 0).toBe(sent.length === 0);
        expect(kept.length === 1 || kept.join('').length <= 1024 * 1024).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
