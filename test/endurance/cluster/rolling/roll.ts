/** A rolling restart under load: every process is restarted, one after another and again, and no call may fail or be done twice. */
import { client2, sdk1, Sights, type Official, type Reached } from '../clients/official-client';
import { reasonOf } from '../clients/send';
import { openCluster } from '../open-cluster';
import { type Instance, Marks, type SeenMark } from '../processes/instance';
import { Ledger } from '../record/ledger';
import { Timeline } from '../record/timeline';
import { connectStrictly, openWay, type WayName, isThere, WAY_TITLES, WAYS } from './strict-client';
import type { RollingWords } from '../options';

/** Examples that are shown of what failed. */
const EXAMPLES = 5;

/** How a restart is played. */
export interface RollOptions {
  readonly way: WayName;
  /** At least so many, and until every process was restarted. */
  readonly calls: number;
}

/** What came of it. */
export interface Rolled {
  readonly way: WayName;
  readonly answered: number;
  /** Kind of client -> calls that it was answered. */
  readonly byClient: ReadonlyMap<string, number>;
  readonly restarts: number;
  /** Milliseconds that the processes took to end, each. */
  readonly ends: readonly number[];
  /** What went wrong: failed calls, and calls that were begun twice. */
  readonly failures: readonly string[];
}

const PROCESSES = 3;
/** Milliseconds for calls to finish: more than the server's own default of 5000, because the machine may be busy. */
const DEADLINE = 20_000;
/** Milliseconds that a fifth of the calls takes. */
const LONG = 800;
const LONG_EVERY = 5;
/** Milliseconds after which a call that was not answered never will be. */
const PATIENCE = 30_000;
/** Of each kind. */
const CLIENTS = 3;

const noAnswer = (): { readonly [name: string]: number } => ({});

/** Kind of client -> how one connects. */
const KINDS: Readonly<Record<string, (reached: Reached) => Promise<Official>>> = {
  'raw, 2025-11-25': (reached) => connectStrictly(reached, '2025-11-25'),
  'raw, 2026-07-28': (reached) => connectStrictly(reached, '2026-07-28'),
  'sdk 1': (reached) => sdk1(reached, new Sights(), noAnswer),
  'client 2, 2025-11-25': (reached) => client2('legacy')(reached, new Sights(), noAnswer),
  'client 2, 2026-07-28': (reached) => client2({ pin: '2026-07-28' })(reached, new Sights(), noAnswer),
};

/** Plays one. */
export async function roll({ way: name, calls }: RollOptions): Promise<Rolled> {
  const marks = new BegunMarks();
  const ledger = new Ledger();
  const parts = { stores: 'redis', processes: PROCESSES, defect: undefined, deadline: DEADLINE } as const;
  const cluster = await openCluster(parts, { ledger, timeline: new Timeline(), marks });
  const way = await openWay(
    name,
    cluster.instances.map(({ port }) => port),
  );
  const load = new Load({ origin: way.origin, patience: PATIENCE });
  try {
    const playing = load.play();
    const ends: number[] = [];
    while (ends.length < PROCESSES || load.answered + load.failures.length < calls)
      ends.push(await restart(cluster.instances[ends.length % PROCESSES], load.failures));
    load.isOver = true;
    await playing;
    const failures = [...load.failures, ...marks.twice];
    return { way: name, answered: load.answered, byClient: load.byClient, restarts: ends.length, ends, failures };
  } finally {
    await way.close();
    await cluster.close();
  }
}

/** @returns the milliseconds that it took to end */
async function restart(instance: Instance | undefined, failures: string[]): Promise<number> {
  const began = performance.now();
  const isWell = await instance?.stop();
  const took = performance.now() - began;
  if (isWell !== true) failures.push(`process ${instance?.lane} did not end well`);
  await instance?.start();
  return took;
}

/** Whatever begins has begun once. */
class BegunMarks extends Marks {
  readonly twice: string[] = [];
  readonly #begun = new Set<string>();

  override note(mark: SeenMark): void {
    if (mark.kind !== 'begun') return;
    if (this.#begun.has(mark.label)) this.twice.push(`${mark.label} was begun twice`);
    this.#begun.add(mark.label);
  }
}

/** Clients who call without a pause. */
class Load {
  isOver = false;
  readonly byClient = new Map<string, number>();
  readonly failures: string[] = [];
  #sent = 0;

  constructor(private readonly reached: Reached) {}

  get answered(): number {
    return [...this.byClient.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when it is over, and everything is answered. */
  async play(): Promise<void> {
    const kinds = Object.entries(KINDS).flatMap(([kind, connect]) =>
      Array.from({ length: CLIENTS }, () => ({ kind, connect })),
    );
    await Promise.all(kinds.map(({ kind, connect }) => this.#use(kind, connect)));
  }

  async #use(kind: string, connect: (reached: Reached) => Promise<Official>): Promise<void> {
    while (!this.isOver) {
      try {
        const client = await connect(this.reached);
        // Now and then somebody leaves, and somebody comes.
        for (let calls = 0; calls < 100 && !this.isOver; calls++) await this.#call(kind, client);
        await client.close();
      } catch (error) {
        this.failures.push(`${kind}: ${reasonOf(error)}`);
      }
    }
  }

  async #call(kind: string, client: Official): Promise<void> {
    const label = `${kind}, call ${this.#sent++}`;
    const milliseconds = this.#sent % LONG_EVERY === 0 ? LONG : 0;
    const text = await client.call('run', { label, milliseconds });
    if (text !== `done ${label}`) throw new Error(`${label} was answered with "${text}"`);
    this.byClient.set(kind, (this.byClient.get(kind) ?? 0) + 1);
  }
}

/** Plays them, and prints the table. @returns whether nothing failed */
export async function runRolling({ calls, way }: RollingWords, say: (text: string) => void): Promise<boolean> {
  const ways = (way === undefined ? WAYS : [way]).filter((each) => {
    if (!isThere(each)) say(`There is no nginx here: ${WAY_TITLES[each]} is left out.`);
    return isThere(each);
  });
  let isClean = ways.length > 0;
  say('| proxy | calls | failed | restarts | end of a process, longest |\n| --- | --- | --- | --- | --- |');
  for (const each of ways) {
    const rolled = await roll({ way: each, calls });
    say(rowOf(rolled));
    for (const failure of rolled.failures.slice(0, EXAMPLES)) say(`  ${failure}`);
    isClean &&= rolled.failures.length === 0;
  }
  return isClean;
}

function rowOf({ way, answered, failures, restarts, ends }: Rolled): string {
  const cells = [WAY_TITLES[way], answered + failures.length, failures.length, restarts];
  return `| ${[...cells, `${(Math.max(...ends) / 1000).toFixed(1)} s`].join(' | ')} |`;
}
