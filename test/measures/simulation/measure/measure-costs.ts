/** Measures what operations cost: three instances with different parts in each of them, and eight nodes of Redis, each with keys of one kind. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  OPERATIONS,
  type BusCost,
  type Costs,
  type Measurement,
  type Operation,
  type OperationCost,
} from '../model/costs';
import { ACTS, hold, subscribe, type Act, type ActInit, type Held, tryAgain } from './acts';
import { attribute, nothingBut } from './attribute';
import { FleetClient } from './client';
import { combine, countedBetween, Fleet, type FleetCounts, withCpuOf } from './fleet';
import { PLACES, TOPIC, type Counts, type RedisCluster } from './redis-cluster';
import { nextTopic } from './topic-slot';
import { createClient } from '@redis/client';

/** Messages that are published for each figure, so many at once. */
const MESSAGES = 10_000;

const AT_ONCE = 20;

/** Connections that hear them. */
const LISTENERS = 20;

const CHANNEL = 'simulated:{measured}:channel';

/** What is measured with published messages. */
type PublishCost = Omit<BusCost, 'gossip' | 'unused' | 'unusedReplica'>;

/** How often an operation is done before it is counted, and while it is. */
interface Amount {
  readonly warmUp: number;
  readonly times: number;
  /** How many at the same time. */
  readonly atOnce: number;
  /** Milliseconds after each: an instance that receives many messages would read them together. */
  readonly pause: number;
}
/** For what is counted. */
const CALM: Amount = { warmUp: 50, times: 150, atOnce: 1, pause: 15 };
/** For CPU time, which is less where there is no pause. */
const BUSY: Amount = { warmUp: 200, times: 300, atOnce: 8, pause: 0 };
/** For an operation whose commands to what all instances share decide how far a server grows. */
const BUSY_FOR_LONG: Amount = { warmUp: 500, times: 1000, atOnce: 16, pause: 0 };
const MANY: Amount = { warmUp: 3000, times: 3000, atOnce: 16, pause: 0 };
/** Operations of which other instances do not hear: no pause changes what is counted. */
const ALWAYS_BUSY: Readonly<Partial<Record<Operation, Amount>>> = {
  'open a session': BUSY,
  'open a stream of changes': BUSY,
  call: MANY,
  'streamed call': { ...MANY, warmUp: 1000, times: 1000 },
  'call without a session': MANY,
};
/** Operations that leave their sessions as they were, so that few sessions are enough. */
const REPEATED: ReadonlySet<Operation> = new Set(['call', 'streamed call', 'call without a session', 'change a list']);
const FEW = 50;
/** Streams that are renewed. */
const RENEWED = 1000;
/** Resources that an instance looks at, for each of few sessions. */
const LOOKED_AT = 100;
/** Milliseconds until what an operation has set off is done. */
const SETTLED = 500;
/**
 * Milliseconds that idle instances are watched: long, because some of what they do is rare and large; that a renewal is waited for; and that a
 * measurement takes at most.
 */
const IDLE = 40_000;
const WATCHED = 10_000;
const LONGEST = 14_000;

const INSTANCES = 3;
const [SERVER, OTHER] = [0, 1];

/** Measures all of them: about six minutes, mostly waiting. */
export async function measureCosts(say: (text: string) => void): Promise<Costs> {
  const fleet = await Fleet.start(INSTANCES, 'by place');
  const client = new FleetClient(fleet.ports);
  const measuring = new Measuring(fleet, client, await measureBus(fleet.redis));
  try {
    const operations = new Map<Operation, OperationCost>();
    say('warm up');
    for (const operation of Object.keys(ACTS) as Act[]) {
      await tryAgain(say, () => measuring.warmUp(operation));
      // Keys that exist only at times are found now.
      await fleet.arrange();
    }
    say('idle instances');
    operations.set('idle instance, a second', await measuring.measureIdle());
    say('renew a stream');
    const renewal = await measuring.measureRenewal();
    operations.set('renew a stream', renewal);
    say('look at a resource');
    operations.set('look at a resource', await tryAgain(say, () => measuring.measureLook(renewal.server.cpu)));
    for (const operation of Object.keys(ACTS) as Act[]) {
      say(operation);
      operations.set(operation, await tryAgain(say, () => measuring.measure(operation, renewal.server.cpu)));
    }
    await fleet.redis.checkPlaces();
    const sorted = OPERATIONS.map((operation) => [operation, operations.get(operation)] as const);
    return {
      measured: await describe(fleet),
      bus: measuring.bus,
      operations: Object.fromEntries(sorted) as Costs['operations'],
    };
  } finally {
    client.close();
    await fleet.stop();
  }
}

/** Runs operations on a fleet and counts. */
class Measuring {
  /** What idle instances do in a millisecond. */
  #idle: FleetCounts = { instances: [], nodes: [] };
  /** What the first instance does to look at a resource. */
  #look: FleetCounts = { instances: [], nodes: [] };
  #index = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly client: FleetClient,
    private readonly published: PublishCost,
  ) {}

  /** Nodes talk to each other also where nothing happens. */
  get bus(): BusCost {
    const { nodes } = this.#idle;
    const gossip = nodes.reduce((sum, counts) => sum + (counts.get('bus') ?? 0), 0) * 1000;
    const unused = (index: number): number => Math.round((nodes[index]?.get('cpu') ?? 0) * 1000);
    return {
      ...this.published,
      gossip: nodes.length === 0 ? 0 : Math.round(gossip / nodes.length),
      // Idle instances have no resources of subscribers.
      unused: unused(TOPIC),
      unusedReplica: unused(TOPIC + PLACES.length),
    };
  }

  /** @param command microseconds of CPU at an instance for one command */
  async measure(operation: Act, command: number): Promise<OperationCost> {
    const always = ALWAYS_BUSY[operation];
    if (always) return this.#count(operation, always);
    const busy = await this.#count(operation, operation === 'resume a stream elsewhere' ? BUSY_FOR_LONG : BUSY);
    return withCpuOf(busy, await this.#count(operation, CALM), command);
  }

  async #count(operation: Act, amount: Amount): Promise<OperationCost> {
    const { warmUp, times } = amount;
    const all = await this.#prepare(operation, warmUp + times);
    await this.#repeat(operation, all.slice(0, warmUp), amount);
    await this.fleet.quiet(LONGEST);
    const start = await this.fleet.counts();
    const began = performance.now();
    const held = await this.#repeat(operation, all.slice(warmUp), amount);
    await sleep(SETTLED);
    const after = await this.fleet.counts();
    if (performance.now() - began > LONGEST) throw new Error('It took so long that streams were renewed meanwhile.');
    const looked = withoutLooks(countedBetween(start, after), this.#look, SERVER);
    const counted = this.#each(looked, performance.now() - began, times);
    await this.#endAll([...all, ...held]);
    const listeners = operation === 'change a list' ? { listeners: FEW } : {};
    return attribute({ counted, ports: this.fleet.redis.ports, bus: this.bus, ...listeners });
  }

  /** Until what only happens at first has happened. */
  async warmUp(operation: Act): Promise<void> {
    const all = await this.#prepare(operation, FEW);
    await this.#endAll([...all, ...(await this.#repeat(operation, all, CALM))]);
  }

  /** The mean of the three instances, a second, without what nodes do that nobody uses. */
  async measureIdle(): Promise<OperationCost> {
    await sleep(SETTLED);
    const before = await this.fleet.counts();
    const began = performance.now();
    await sleep(IDLE);
    const counted = countedBetween(before, await this.fleet.counts());
    const time = performance.now() - began;
    this.#idle = combine(counted, counted, (count) => count / time);
    const one = combine(withoutUnused(this.#idle), this.#idle, (count) => (count * 1000) / INSTANCES);
    const cost = attribute({ counted: merged(one), ports: this.fleet.redis.ports, bus: this.bus });
    return { ...cost, ...nothingBut(cost.server), memory: 0 };
  }

  /** Each open stream renews its session once: the time in which all of them do, compared with one in which none does. */
  async measureRenewal(): Promise<OperationCost> {
    const init = { client: this.client, server: OTHER, other: SERVER, index: 0 };
    const all: Held[] = [];
    for (let count = 0; count < RENEWED; count++) all.push(await hold('a session with a stream', init));
    await this.fleet.quiet(WATCHED + SETTLED * 4);
    const [start, middle] = [await this.fleet.counts(), await sleep(WATCHED).then(() => this.fleet.counts())];
    const end = await sleep(WATCHED).then(() => this.fleet.counts());
    const [idle, busy] = [countedBetween(start, middle), countedBetween(middle, end)];
    const counted = combine(busy, idle, (one, other) => (one - other) / RENEWED);
    await this.#endAll(all.map((held) => ({ held })));
    const cost = attribute({ counted, ports: this.fleet.redis.ports, bus: this.bus });
    return { ...cost, ...nothingBut(cost.server), memory: 0 };
  }

  /**
   * An instance looks at the resources of its subscribers now and then: what it does meanwhile, for each of those looks.
   * @param command microseconds of CPU at an instance for one command, which each look takes at least
   */
  async measureLook(command: number): Promise<OperationCost> {
    const all: Held[] = [];
    for (let count = 0; count < FEW; count++) {
      const init = { client: this.client, server: OTHER, other: SERVER, index: 0 };
      const held = await hold('a session with a stream', init);
      all.push(held);
      for (let index = 0; index < LOOKED_AT; index++) await subscribe({ ...init, held, index: this.#nextIndex() });
    }
    await this.fleet.quiet(WATCHED);
    const before = await this.fleet.counts();
    const began = performance.now();
    await sleep(WATCHED - SETTLED);
    const counted = countedBetween(before, await this.fleet.counts());
    const looks = counted.instances[SERVER]?.get('look') ?? 0;
    if (looks === 0) throw new Error('No instance has looked at a resource.');
    this.#look = this.#each(counted, performance.now() - began, looks);
    await this.#endAll(all.map((held) => ({ held })));
    const cost = attribute({ counted: this.#look, ports: this.fleet.redis.ports, bus: this.bus });
    const { server } = cost;
    return { ...cost, ...nothingBut({ ...server, cpu: Math.max(server.cpu, command) }), memory: 0 };
  }

  /** Without what idle instances do in so many milliseconds, for each of so many operations. */
  #each(counted: FleetCounts, time: number, count: number): FleetCounts {
    return combine(counted, this.#idle, (all, idle) => (all - idle * time) / count);
  }

  async #prepare(operation: Act, count: number): Promise<readonly Turn[]> {
    const { needs, prepare } = ACTS[operation];
    const turns: Turn[] = [];
    for (let done = 0; done < (REPEATED.has(operation) ? FEW : count); done++) {
      const init = { client: this.client, server: SERVER, other: OTHER, index: this.#nextIndex() };
      const turn = { ...init, held: await hold(needs, init) };
      await prepare?.(turn);
      turns.push(turn);
    }
    return Array.from({ length: count }, (_, index) => turns[index % turns.length] as Turn);
  }

  /** A number that no other turn has, and whose resource is at the node for resources. */
  #nextIndex(): number {
    return (this.#index = nextTopic(this.#index));
  }

  /** Does it once with each. Returns the sessions afterwards. */
  async #repeat(operation: Act, all: readonly Turn[], { atOnce, pause }: Amount): Promise<Turn[]> {
    const turns = all.values();
    const after: Turn[] = [];
    const worker = async (): Promise<void> => {
      for (const turn of turns) {
        const held = await ACTS[operation].act(turn);
        if (held) after.push({ ...turn, held });
        if (pause > 0) await sleep(pause);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return after;
  }

  /** Closes their streams and ends all sessions that have not ended. */
  async #endAll(all: readonly { readonly held: Held }[]): Promise<void> {
    for (const { held } of all) held.stream?.cut();
    const sessions = new Set(all.map(({ held }) => held.session).filter(Boolean));
    for (const session of sessions) await this.client.end(OTHER, session).catch(() => undefined);
  }
}

/** One time of an operation. */
type Turn = ActInit;

async function describe(fleet: Fleet): Promise<Measurement> {
  const versionOf = (path: string): string =>
    (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version;
  const root = join(__dirname, '..', '..', '..', '..');
  const [node] = fleet.redis.nodes;
  const [, redis = ''] = /redis_version:(\S+)/.exec(String(await node?.run('INFO', 'server'))) ?? [];
  return {
    sigil: versionOf(join(root, 'packages', 'core', 'package.json')),
    node: process.versions.node,
    redis,
    client: `@redis/client ${versionOf(join(root, 'node_modules', '@redis', 'client', 'package.json'))}`,
    instances: INSTANCES,
    nodes: fleet.redis.nodes.length,
    times: CALM.times,
  };
}

/**
 * Without the looks at resources that came in between, whichever instance had them.
 * @param look one of them
 * @param looking the instance that had it
 */
function withoutLooks({ instances, nodes }: FleetCounts, look: FleetCounts, looking: number): FleetCounts {
  const without = (counts: Counts, one: Counts | undefined, looks: number): Counts =>
    new Map([...counts].map(([name, count]) => [name, count - looks * (one?.get(name) ?? 0)]));
  const looksOf = (counts: Counts): number => counts.get('look') ?? 0;
  const all = instances.reduce((sum, counts) => sum + looksOf(counts), 0);
  return {
    instances: instances.map((counts) => without(counts, look.instances[looking], looksOf(counts))),
    nodes: nodes.map((counts, index) => without(counts, look.nodes[index], all)),
  };
}

/** Without what the node for resources does, which nobody uses now, and its replica. */
function withoutUnused({ instances, nodes }: FleetCounts): FleetCounts {
  const cpuOf = (index: number): number => nodes[index]?.get('cpu') ?? 0;
  const unusedAs = (index: number): number => cpuOf(index < PLACES.length ? TOPIC : TOPIC + PLACES.length);
  const without = (counts: Counts, index: number): Counts =>
    new Map([...counts, ['cpu', Math.max(0, cpuOf(index) - unusedAs(index))]]);
  return { instances, nodes: nodes.map(without) };
}

/** All instances as one. */
function merged({ instances, nodes }: FleetCounts): FleetCounts {
  const all = new Map<string, number>();
  for (const counts of instances) for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count);
  return { instances: [all], nodes };
}

/** Publishes to all nodes and to many connections, and compares with commands that publish nothing. */
async function measureBus(redis: RedisCluster): Promise<PublishCost> {
  const publish = (word: string): Promise<readonly Counts[]> => publishAll(redis, word);
  const nothing = await publish('ECHO');
  const toAll = await publish('PUBLISH');
  const subscribers = await Promise.all(
    Array.from({ length: LISTENERS }, async () => {
      const subscriber = createClient({ url: redis.nodes[0]?.server.url ?? '' });
      await subscriber.connect();
      await subscriber.subscribe(CHANNEL, () => undefined);
      return subscriber;
    }),
  );
  const heard = await publish('PUBLISH');
  for (const subscriber of subscribers) subscriber.destroy();
  const others = redis.nodes.length - 1;
  const cpu = (counts: readonly Counts[], node: number): number => (counts[node]?.get('cpu') ?? 0) / MESSAGES;
  const bytes = toAll.slice(1).map((counts) => (counts.get('bus') ?? 0) / MESSAGES);
  const received = toAll.slice(1).map((_, index) => cpu(toAll, index + 1) - cpu(nothing, index + 1));
  return {
    bytes: Math.round(mean(bytes)),
    send: round((cpu(toAll, 0) - cpu(nothing, 0)) / others),
    receive: round(mean(received)),
    push: round((cpu(heard, 0) - cpu(toAll, 0)) / LISTENERS),
  };
}

/** What each node has counted meanwhile. */
async function publishAll({ nodes }: RedisCluster, word: string): Promise<readonly Counts[]> {
  const [first] = nodes;
  const words = word === 'ECHO' ? [CHANNEL] : [CHANNEL, ''];
  const before = await Promise.all(nodes.map((node) => node.counts()));
  for (let sent = 0; sent < MESSAGES; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, async () => first?.run(word, ...words)));
  await sleep(200);
  const after = await Promise.all(nodes.map((node) => node.counts()));
  return after.map((counts, index) => {
    const difference = [...counts].map(([name, count]) => [name, count - (before[index]?.get(name) ?? 0)] as const);
    return new Map(difference);
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.max(0, Math.round(value * 100) / 100);
}
