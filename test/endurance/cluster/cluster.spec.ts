/** The cluster test sees what it looks for: a sound server keeps every promise, and each defect breaks the one that it should. */
import { describeWith } from '../../support/supplies/supply';
import type { ChaosName } from './chaos';
import type { ClusterOptions, Defect } from './options';
import { playCluster } from './play-cluster';
import type { PromiseName } from './promises';
import { drawTimeline } from './record/timeline';
import { writeTable } from './record/write-table';
import { type Ledger } from './record/ledger';

jest.setTimeout(90_000);

/** One process with everything in its memory, as it is without a Redis. */
const ALONE: ClusterOptions = {
  seconds: 20,
  seed: 1,
  processes: 1,
  chaos: [],
  stores: 'memory',
  patience: 15,
  defect: undefined,
  picture: undefined,
};

type Broken = Partial<Record<PromiseName, readonly string[]>>;

/** What a run that ends as soon as this promise is broken breaks. */
async function brokenUntil(untilBroken: PromiseName, options: Partial<ClusterOptions>): Promise<string[]> {
  const { ledger } = await playCluster({ ...ALONE, ...options, untilBroken });
  return Object.keys(brokenIn(ledger));
}

function brokenIn(ledger: Ledger): Broken {
  const broken = ledger.promises.filter(({ count }) => count > 0);
  return Object.fromEntries(broken.map(({ name, examples }) => [name, examples]));
}

describe('a server that is sound', () => {
  it('keeps every promise, also while connections break', async () => {
    const { ledger, timeline } = await playCluster({ ...ALONE, seconds: 5, chaos: ['cuts'] });
    expect(brokenIn(ledger)).toEqual({});
    for (const what of ['calls answered', 'questions answered', 'changes heard', 'cancellations heard'] as const)
      expect([what, ledger.counted(what)]).toEqual([what, expect.any(Number)]);
    expect(ledger.counted('streams resumed')).toBeGreaterThan(0);
    expect(drawTimeline(timeline, 1)).toContain('>process 1</text>');
  });
});

describe('a defect is seen', () => {
  const PATIENCE = 1.5;

  it.concurrent.each<[PromiseName, Defect, string]>([
    ['sessions lost', 'lost-sessions', 'caller of 2025-11-25'],
    ['ended sessions served', 'kept-sessions', 'deleter'],
    ['wrong answers', 'wrong-answers', 'caller of 2025-06-18'],
    ['wrong answers', 'wrong-answers', 'caller of 2024-11-05'],
    ['wrong answers', 'wrong-answers', 'caller of 2026-07-28'],
    ['wrong answers', 'wrong-answers', 'sdk 1'],
    ['duplicates on a stream', 'repeats', 'streamer'],
    ['gaps on a stream', 'gaps', 'streamer'],
    ['calls without an outcome', 'silence', 'caller of 2025-03-26'],
    ['calls without an outcome', 'silence', 'client 2, alone'],
    ['cancellations not heard', 'lost-cancellations', 'canceller'],
    ['changes not heard', 'untold-changes', 'subscriber'],
    ['changes not heard', 'untold-changes', 'listener'],
    ['rejections nobody took', 'forgotten-rejections', 'caller of 2025-11-25'],
  ])('%s, by %s, in the eyes of %s', async (promise, defect, actor) => {
    expect(await brokenUntil(promise, { defect, actors: [actor], patience: PATIENCE })).toContain(promise);
  });

  it.concurrent.each(['caller of 2025-11-25', 'sdk 1'])(
    'sessions lost, where processes share nothing, in the eyes of %s',
    async (actor) => {
      expect(await brokenUntil('sessions lost', { processes: 2, actors: [actor] })).toContain('sessions lost');
    },
  );
});

describeWith('redis-server', 'processes that share a Redis', () => {
  const SHARED = { ...ALONE, processes: 2, stores: 'redis', patience: 25 } as const;
  const ACTORS = [
    'caller of 2025-11-25',
    'caller of 2024-11-05',
    'asker',
    'streamer',
    'deleter',
    'canceller',
    'subscriber',
    'task caller',
    'task asker',
    'task canceller',
  ];

  it('keep every promise, also while connections break', async () => {
    const { ledger, timeline } = await playCluster({ ...SHARED, seconds: 5, chaos: ['cuts'], actors: ACTORS });
    const table = writeTable({ ledger, timeline });
    expect(brokenIn(ledger)).toEqual({});
    expect(ledger.counted('streams resumed at another process')).toBeGreaterThan(0);
    expect(ledger.counted('questions answered at another process')).toBeGreaterThan(0);
    expect(ledger.counted('tasks completed')).toBeGreaterThan(0);
    expect(ledger.counted('tasks cancelled')).toBeGreaterThan(0);
    expect(table).toContain('answer to another process, p50 and p99');
  });

  it.concurrent.each<[PromiseName, Defect, string, ChaosName[]]>([
    ['ended sessions served', 'undying-sessions', 'deleter', []],
    ['duplicates on a stream', 'repeated-events', 'streamer', ['cuts']],
    ['gaps on a stream', 'lost-events', 'streamer', ['cuts']],
    ['calls without an outcome', 'endless-streams', 'streamer', ['kills', 'cuts']],
    ['changes not heard', 'deaf-bus', 'subscriber', []],
    ['tasks lost', 'lost-tasks', 'task caller', []],
    ['tasks run twice', 'double-work', 'task asker', []],
  ])('that %s are seen, by %s, in the eyes of %s', async (promise, defect, actor, chaos) => {
    const options = { ...SHARED, defect, chaos, actors: [actor], seconds: 40, patience: 8 };
    expect(await brokenUntil(promise, options)).toContain(promise);
  });

  it('that keys are left in Redis is seen, by left-keys', async () => {
    const options = { seconds: 1, defect: 'left-keys', actors: ['caller of 2026-07-28'] } as const;
    const { ledger } = await playCluster({ ...SHARED, ...options });
    expect(brokenIn(ledger)).toEqual({ 'keys left in Redis': ['cluster:{left}:s for ever'] });
  });
});
