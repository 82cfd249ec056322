/** Which work an instance reports to the store, and when. */
import { StoreAway, type SessionState, type SessionWorkers } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import type { Session } from '../src/sessions/session';
import { SessionWork } from '../src/sessions/session-work';

/** A session with or without work. */
class Work {
  hasWork = true;
  isClosed = false;

  constructor(readonly id: string) {}

  get session(): Session {
    return this as unknown as Session;
  }
}

let clock: ManualClock;
let reports: string[];
let isAway: boolean;
let record: string | undefined;
let table: Map<string, Work>;
let work: SessionWork;

const workers: SessionWorkers = {
  join: (session, instance): Promise<SessionState> => {
    reports.push(`${instance} joins ${session}`);
    return isAway ? Promise.reject(new StoreAway('away')) : Promise.resolve({ record, notes: [] });
  },
  leave: (session, instance): Promise<void> => {
    reports.push(`${instance} leaves ${session}`);
    return Promise.resolve();
  },
  of: () => [],
  note: () => [],
};

beforeEach(() => {
  [clock, reports, isAway, record, table] = [new ManualClock(), [], false, 'record', new Map()];
  work = new SessionWork({
    workers,
    instance: 'a',
    find: (id) => table.get(id)?.session,
    joined: ({ id }, state) => void reports.push(`${id} has ${state.record}`),
    clock,
  });
});
afterEach(() => work.close());

function begin(id: string): Work {
  const one = new Work(id);
  table.set(id, one);
  work.began(one.session);
  return one;
}

it('reports no work that is done within 25 ms, and longer work once', async () => {
  const quick = begin('quick');
  await clock.advance(10);
  const long = begin('long');
  quick.hasWork = false;
  work.done(quick.session);
  await clock.advance(60);
  work.began(long.session);
  await clock.advance(1000);
  expect(reports).toEqual(['a joins long', 'long has record']);
});

it('reports work that goes on every 20 seconds, and leaves when there is none', async () => {
  const long = begin('long');
  await clock.advance(20_000);
  expect(reports.filter((report) => report === 'a joins long')).toHaveLength(2);
  long.hasWork = false;
  await clock.advance(20_000);
  await clock.advance(20_000);
  expect(reports.at(-1)).toBe('a leaves long');
  expect(reports.filter((report) => report === 'a leaves long')).toHaveLength(1);
  long.hasWork = true;
  work.began(long.session);
  await clock.advance(100);
  expect(reports.at(-1)).toBe('long has record');
});

it('reports work at once where a stream is resumed, and rejects if the store is unreachable', async () => {
  const resumed = new Work('resumed');
  await work.join(resumed.session);
  expect(reports).toEqual(['a joins resumed', 'resumed has record']);
  isAway = true;
  const other = new Work('other');
  await expect(work.join(other.session)).rejects.toThrow(StoreAway);
  isAway = false;
  await work.join(other.session);
  await work.join(other.session);
  expect(reports.slice(2)).toEqual(['a joins other', 'a joins other', 'other has record']);
});

it('tries again after a second where the store was unreachable', async () => {
  isAway = true;
  begin('long');
  await clock.advance(100);
  expect(reports).toEqual(['a joins long']);
  isAway = false;
  await clock.advance(1100);
  expect(reports).toEqual(['a joins long', 'a joins long', 'long has record']);
});

it('reports the next work of a session that was not stored yet when its handshake was reported', async () => {
  record = undefined;
  const slow = begin('slow');
  await clock.advance(100);
  slow.hasWork = false;
  work.done(slow.session);
  record = 'record';
  slow.hasWork = true;
  work.began(slow.session);
  await clock.advance(100);
  expect(reports).toEqual(['a joins slow', 'slow has undefined', 'a joins slow', 'slow has record']);
});

it('reports nothing of a session that has ended, and nothing after it was closed', async () => {
  const ended = begin('ended');
  ended.isClosed = true;
  await clock.advance(100);
  begin('late');
  work.close();
  await clock.advance(100_000);
  expect(reports).toEqual([]);
});
