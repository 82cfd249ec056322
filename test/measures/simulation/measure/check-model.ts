/** Plays one plan with the model and with real processes, and compares what both count. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Costs, Operation } from '../model/costs';
import { LOOK, type Scenario, evenly, holderOf, type Planned } from '../model/scenario';
import { Simulation, type Loads } from '../model/simulate';
import type { CheckedSize, Compared } from '../report/tables';
import { ACTS, hold, type Act, type Held, tryAgain } from './acts';
import { sum } from './attribute';
import { FleetClient } from './client';
import { countedBetween, Fleet, RENEWAL } from './fleet';
import type { Counts } from './redis-cluster';

/** Instances of the servers that are compared. */
const SIZES = [3, 6, 12] as const;
/** Sessions that stay, each with a stream and a subscription to a resource of its own. */
const SESSIONS = 120;
/** Operations, in the time between two renewals: a rate that a machine with other work can do. */
const PLAYED: readonly (readonly [Act, number])[] = [
  ['open a session', 40],
  ['open a stream of changes', 40],
  ['call', 400],
  ['streamed call', 80],
  ['call without a session', 40],
  ['cancelled call', 20],
  ['call that asks', 20],
  ['subscribe', 40],
  ['change a resource', 60],
  ['change a list', 5],
  ['resume a stream elsewhere', 20],
  ['end a session', 40],
];
/** Operations that use a session up. */
const USED_UP: ReadonlySet<Operation> = new Set<Act>(['resume a stream elsewhere', 'end a session']);
/** Milliseconds until what the last operation has set off is done. */
const SETTLED = 500;
/** Compares all sizes: about two minutes. */
export async function checkModel(
  costs: Costs,
  say: (text: string) => void,
  all: readonly number[] = SIZES,
): Promise<readonly CheckedSize[]> {
  const sizes: CheckedSize[] = [];
  for (const instances of all) {
    say(`${instances} instances`);
    sizes.push({ instances, compared: await tryAgain(say, () => compare(costs, instances)) });
  }
  return sizes;
}

async function compare(costs: Costs, instances: number): Promise<readonly Compared[]> {
  const seconds = RENEWAL / 1000;
  const used = PLAYED.filter(([act]) => act === 'resume a stream elsewhere' || act === 'end a session');
  // As many streams are opened as are ended meanwhile.
  const listeners = SESSIONS + used.reduce((all, [, count]) => all + count, 0);
  const scenario: Scenario = {
    instances,
    shards: 3,
    sessions: SESSIONS,
    listeners,
    subscribed: 1,
    rates: {},
    network: 0,
    seconds,
    seed: 1,
  };
  const acts = PLAYED.flatMap(([act, count]) => evenly(act, count, scenario)).sort(byTime);
  const timed = [
    ...evenly('renew a stream', listeners, scenario),
    // All but those that were opened meanwhile are subscribed to a resource.
    ...evenly('look at a resource', Math.round((listeners * seconds) / LOOK), scenario),
    ...evenly('idle instance, a second', instances * seconds, scenario),
  ];
  const model = new Simulation(costs, scenario, [...acts, ...timed].sort(byTime)).run();
  const real = await play(acts, instances);
  return [
    ...compareOne('instance', model.instances, real.instances),
    ...compareOne('node', model.masters, real.masters),
    ...compareOne('replica', model.replicas, real.replicas),
  ];
}

function byTime(one: Planned, other: Planned): number {
  return one.time - other.time;
}

function compareOne(of: Compared['of'], { mean }: Loads, real: Counts): Compared[] {
  const rows = [
    ['commands', mean.commands, real.get('commands')],
    ['bytes in', mean.bytesIn, real.get('in')],
    ['bytes out', mean.bytesOut, real.get('out')],
    ['bytes of the bus', mean.bus, real.get('bus')],
    ['CPU, ms', mean.cpu / 1000, (real.get('cpu') ?? 0) / 1000],
  ] as const;
  // A replica writes next to nothing, and instances have no bus.
  const isOf = (what: Compared['what']): boolean =>
    !(of === 'replica' && what === 'bytes out') && !(of === 'instance' && what === 'bytes of the bus');
  return rows.filter(([what]) => isOf(what)).map(([what, one, other]) => ({ of, what, model: one, real: other ?? 0 }));
}

/** Counters a second: the means of instances, of nodes with slots, and of their replicas. */
interface Real {
  readonly instances: Counts;
  readonly masters: Counts;
  readonly replicas: Counts;
}

async function play(acts: readonly Planned[], instances: number): Promise<Real> {
  const fleet = await Fleet.start(instances, 'even');
  const client = new FleetClient(fleet.ports);
  try {
    const driver = new Driver(client, instances);
    await driver.prepare(acts);
    await fleet.quiet(RENEWAL / 4);
    const before = await fleet.counts();
    const began = performance.now();
    await driver.play(acts);
    await sleep(Math.max(SETTLED, began + RENEWAL - performance.now()));
    const counted = countedBetween(before, await fleet.counts());
    const seconds = (performance.now() - began) / 1000;
    const shards = counted.nodes.length / 2;
    return {
      instances: meanOf(counted.instances, seconds, /^sent /, /from /),
      masters: meanOf(counted.nodes.slice(0, shards), seconds, /^calls /, /^in$/),
      replicas: meanOf(counted.nodes.slice(shards), seconds, /^calls /, /^in$/),
    };
  } finally {
    client.close();
    await fleet.stop();
  }
}

function meanOf(all: readonly Counts[], seconds: number, commands: RegExp, read: RegExp): Counts {
  const mean = (names: RegExp): number =>
    all.reduce((whole, counts) => whole + sum(counts, names), 0) / all.length / seconds;
  return new Map([
    ['commands', mean(commands)],
    ['in', mean(read)],
    ['out', mean(/^(?:out|to \d+)$/)],
    ['bus', mean(/^bus$/)],
    ['cpu', mean(/^cpu$/)],
  ]);
}

/** Sends the requests of a plan when their time has come. */
class Driver {
  readonly #sessions: Held[] = [];
  /** What operations have for themselves. */
  readonly #own = new Map<Planned, Held>();
  /** Sessions that were opened, and have no stream yet. */
  readonly #opened: Promise<Held | undefined>[] = [];

  constructor(
    private readonly client: FleetClient,
    private readonly instances: number,
  ) {}

  async prepare(acts: readonly Planned[]): Promise<void> {
    for (let session = 0; session < SESSIONS; session++) {
      const other = holderOf(session, this.instances);
      const init = { client: this.client, other, server: (other + 1) % this.instances, index: session };
      const held = await hold('a session with a stream', init);
      await ACTS['change a resource'].prepare?.({ ...init, held });
      this.#sessions.push(held);
    }
    for (const planned of acts) {
      const { operation, server } = planned;
      if (!USED_UP.has(operation)) continue;
      const { needs, prepare } = ACTS[operation as Act];
      const { other } = planned;
      const init = { client: this.client, server, other, index: 2 * SESSIONS + this.#own.size };
      const held = await hold(needs, init);
      await prepare?.({ ...init, held });
      this.#own.set(planned, held);
    }
  }

  async play(acts: readonly Planned[]): Promise<void> {
    const began = performance.now();
    const done: Promise<unknown>[] = [];
    for (const planned of acts) {
      await sleep(Math.max(0, began + planned.time * 1000 - performance.now()));
      done.push(this.#act(planned));
    }
    await Promise.all(done);
  }

  #act(planned: Planned): Promise<unknown> {
    const { operation, server, other, session } = planned;
    // Each session has a resource of its own; what it subscribes to in addition is another one.
    const index = operation === 'subscribe' ? SESSIONS + session : session;
    const act = async (held: Held | undefined): Promise<Held | undefined> =>
      ACTS[operation as Act].act({ client: this.client, server, other, held: held ?? { session: '' }, index });
    if (operation === 'open a stream of changes') return Promise.resolve(this.#opened.shift()).then(act);
    const done = act(this.#own.get(planned) ?? this.#sessions[session]);
    if (operation === 'open a session') this.#opened.push(done);
    return done;
  }
}
