/** Requests of one session that come at the same time: every order in which they, the store and the other instances may be heard. */
import { MemoryStores } from '@sigil-mcp/core/stores';
import fc from 'fast-check';
import { scheduledStores, type ScheduledStores } from '../../../test/support/supplies/scheduled-stores';
import { openInstance, type Outcome, type SessionInstance } from './session-instance';
import { runs } from '../../../test/support/matrix';

type Step =
  | { readonly kind: 'get' | 'resume' | 'delete' | 'cut'; readonly at: 0 | 1 }
  | { readonly kind: 'subscribe' | 'change'; readonly at: 0 | 1; readonly uri: string };

const at = fc.constantFrom(0 as const, 1 as const);
const uri = fc.constantFrom('r:1', 'r:2', 'r:3');
const come = fc.record({ kind: fc.constantFrom('get' as const, 'resume' as const), at });
const change = fc.record({ kind: fc.constant('change' as const), at, uri });
const subscribe = fc.record({ kind: fc.constant('subscribe' as const), at, uri: fc.constantFrom('r:4', 'r:5') });
const leave = fc.record({ kind: fc.constantFrom('cut' as const, 'delete' as const), at });
/** Two GETs, a POST and a DELETE, and what changes meanwhile. */
const steps = fc.array(fc.oneof({ arbitrary: come, weight: 3 }, change, subscribe, leave), {
  minLength: 3,
  maxLength: 7,
});

const SUBSCRIBED = ['r:1', 'r:2', 'r:3'];
const ACCEPTED: readonly Outcome[] = ['done', 400, 404, 410];

interface RunInit {
  readonly scheduler: fc.Scheduler;
  readonly instances: readonly SessionInstance[];
  readonly links: readonly ScheduledStores[];
  readonly stores: MemoryStores;
  readonly id: string;
  /** The id of the first event of its stream. */
  readonly greeting: string;
}

/** The instances of one run, and what they share. */
class Run {
  /** In the order of the plan. */
  readonly outcomes: Outcome[] = [];
  isDeleted = false;
  changed: string[] = [];
  readonly instances: readonly SessionInstance[];
  readonly id: string;

  private constructor(private readonly init: RunInit) {
    this.instances = init.instances;
    this.id = init.id;
  }

  static async begin(scheduler: fc.Scheduler, kept: Kept, subscribed = SUBSCRIBED): Promise<Run> {
    const stores = new MemoryStores();
    const links = kept === 'alone' ? [] : ['a', 'b'].map((name) => scheduledStores(stores, scheduler, name));
    const instances =
      kept === 'alone' ? [await openInstance()] : await Promise.all(links.map((link) => openInstance(link.stores)));
    const [first] = instances;
    const id = (await first?.initialize(subscribed)) ?? '';
    await first?.get(id);
    const [connection] = first?.connections ?? [];
    const greeting = connection?.events[0]?.id ?? '';
    for (const link of links) link.isOn = true;
    return new Run({ scheduler, instances, links, stores, id, greeting });
  }

  /** All of it begins whenever the scheduler lets it. */
  async play(plan: readonly Step[]): Promise<void> {
    const played = plan.map((step, index) =>
      this.init.scheduler
        .schedule(Promise.resolve(), `${index}: ${step.kind} at ${step.at}`)
        .then(() => this.#act(step, index)),
    );
    let isOver = false;
    const all = Promise.all(played).finally(() => (isOver = true));
    while (!isOver) {
      await this.settle();
      // Who waits for an answer that nobody gives waits for a time.
      if (!isOver) for (const { clock } of this.instances) await clock.advance(1000);
    }
    await all;
  }

  /** Until nothing is under way. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise(setImmediate);
      if (this.init.scheduler.count() === 0) continue;
      quiet = -1;
      await this.init.scheduler.waitAll();
    }
  }

  /** At once, and whatever that sets off. */
  async look<T>(act: () => Promise<T>): Promise<T> {
    for (const link of this.init.links) link.isOn = false;
    const value = await act();
    await new Promise(setImmediate);
    return value;
  }

  get open() {
    return this.instances.flatMap(({ connections }) => connections).filter(({ isOpen }) => isOpen);
  }

  get told(): string[] {
    return this.instances.flatMap(({ connections }) => connections.flatMap(({ told }) => told));
  }

  /** What stands in the store of the session. */
  get recorded(): readonly string[] {
    const text = this.init.stores.sessions.use(this.id, 60_000) ?? '';
    return (JSON.parse(text) as { conversation: { subscribed: string[] } }).conversation.subscribed;
  }

  /** Lets a command of each instance fail so many times. */
  refuse(command: string, times: readonly number[]): void {
    this.init.links.forEach(({ refused }, index) => refused.push(...Array<string>(times[index] ?? 0).fill(command)));
  }

  async close(): Promise<void> {
    for (const link of this.init.links) link.isOn = false;
    await Promise.all(this.instances.map((instance) => instance.close()));
  }

  at(place: 0 | 1): SessionInstance {
    const instance = this.instances[place] ?? this.instances[0];
    if (!instance) throw new Error('There is no instance.');
    return instance;
  }

  async #act(step: Step, index: number): Promise<void> {
    const instance = this.at(step.at);
    if (step.kind === 'change') {
      this.changed.push(step.uri);
      return instance.server.notifyResourceChanged(step.uri);
    }
    if (step.kind === 'cut') return instance.connections.forEach((connection) => connection.end());
    const outcome = await this.#request(step, instance);
    this.outcomes[index] = outcome;
    if (step.kind === 'delete' && outcome === 'done') this.isDeleted = true;
  }

  #request(step: Step, instance: SessionInstance): Promise<Outcome> {
    if (step.kind === 'get') return instance.get(this.id);
    if (step.kind === 'resume') return instance.get(this.id, this.init.greeting);
    if (step.kind === 'delete') return instance.delete(this.id);
    return instance.subscribe(this.id, step.kind === 'subscribe' ? step.uri : '');
  }
}

type Kept = 'alone' | 'by two instances';

describe.each<Kept>(['alone', 'by two instances'])('a session that is kept %s', (kept) => {
  it('has one stream at most, which hears of each change once, and none when it is over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, async (scheduler, plan) => {
        const run = await Run.begin(scheduler, kept);
        try {
          await run.play(plan);
          expect(Object.values(run.outcomes).filter((outcome) => !ACCEPTED.includes(outcome))).toEqual([]);
          const listeners = run.instances.reduce((sum, instance) => sum + instance.listeners, 0);
          if (run.isDeleted) {
            expect([run.open.length, listeners]).toEqual([0, 0]);
            const late = await run.look(() => run.at(1).get(run.id));
            return expect(late).toBe(404);
          }
          expect(run.open.length).toBeLessThanOrEqual(1);
          expect(listeners).toBe(run.open.length);
          const [connection] = run.open;
          const before = connection?.told.length ?? 0;
          await run.look(async () => run.at(0).server.notifyResourceChanged('r:1'));
          await run.look(async () => run.at(1).server.notifyResourceChanged('r:2'));
          expect(connection?.told.slice(before) ?? ['r:1', 'r:2']).toEqual(['r:1', 'r:2']);
          // So it is with what was subscribed to meanwhile, wherever that was.
          for (const [index, step] of plan.entries()) {
            if (step.kind !== 'subscribe' || run.outcomes[index] !== 'done') continue;
            await run.look(async () => run.at(0).server.notifyResourceChanged(step.uri));
            expect(connection?.told.at(-1) ?? step.uri).toBe(step.uri);
          }
          // Whoever comes next hears of what nobody was told.
          connection?.end();
          await run.settle();
          expect(await run.look(() => run.at(1).get(run.id))).toBe('done');
          expect(run.told).toEqual(expect.arrayContaining(run.changed));
        } finally {
          await run.close();
        }
      }),
      { numRuns: runs(400) },
    );
  });
});

describe('requests that change a session', () => {
  const one = fc.record({ at, uri: fc.constantFrom('r:1', 'r:2', 'r:3', 'r:4') });
  const wishes = fc.uniqueArray(one, { minLength: 2, maxLength: 4, selector: ({ uri: wished }) => wished });
  const refusals = fc.tuple(fc.nat(2), fc.nat(2));

  it('are answered with success if what they change is in the store, and else refused, whatever fails for others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), wishes, refusals, async (scheduler, plan, refused) => {
        const run = await Run.begin(scheduler, 'by two instances', []);
        try {
          run.refuse('sessions.replace', refused);
          await run.play(plan.map((wish) => ({ kind: 'subscribe', ...wish })));
          const done = plan.filter((_, index) => run.outcomes[index] === 'done').map((wish) => wish.uri);
          expect(run.outcomes.filter((outcome) => outcome !== 'done' && outcome !== 503)).toEqual([]);
          expect([...run.recorded].sort()).toEqual(done.sort());
          // With the next request each instance knows what the other has written.
          for (const place of [0, 1] as const) {
            expect(await run.look(() => run.at(place).subscribe(run.id, 'r:5'))).toBe('done');
            expect([...run.at(place).subscribed(run.id)].sort()).toEqual([...done, 'r:5'].sort());
          }
        } finally {
          await run.close();
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
