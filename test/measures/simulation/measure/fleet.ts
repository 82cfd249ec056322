/** Real instances and real nodes of Redis on this machine, and what each of them has done so far. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileFixtures } from '../../../support/compile-fixture';
import { RedisCluster, type Counts, type Layout } from './redis-cluster';
import { ROLES, type NodeCost, type OperationCost, type RoleCost } from '../model/costs';

/** Milliseconds between two renewals of the sessions with streams, counted from the start of their instance. */
export const RENEWAL = 20_000;
/** Milliseconds for which renewals take at most. */
const RENEWING = 1000;

/** One process that serves HTTP. */
class Instance {
  readonly #lines: Interface;

  private constructor(
    private readonly child: ChildProcess & { readonly stdin: NonNullable<ChildProcess['stdin']> },
    lines: Interface,
    readonly port: number,
    /** By the clock of `performance.now`. */
    readonly startedAt: number,
  ) {
    this.#lines = lines;
  }

  /** Compiled with the types that decorators emit, which a program that only strips types does not. */
  static async start(redis: readonly number[]): Promise<Instance> {
    const program = join(compileFixtures(join(__dirname, 'server')), 'main.js');
    const env = { ...process.env, REDIS: redis.join(',') };
    const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`An instance has ended with ${code}.`);
    });
    ended.catch(() => undefined);
    const [port] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    return new Instance(child, lines, Number(port), performance.now());
  }

  async counts(): Promise<Counts> {
    const answered = once(this.#lines, 'line');
    this.child.stdin.write('\n');
    const [text] = (await answered) as [string];
    return new Map(Object.entries(JSON.parse(text) as Record<string, number>));
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** What all of them have done. */
export interface FleetCounts {
  readonly instances: readonly Counts[];
  readonly nodes: readonly Counts[];
}

/** A server of several instances. */
export class Fleet {
  private constructor(
    readonly redis: RedisCluster,
    private readonly instances: readonly Instance[],
  ) {}

  static async start(instances: number, layout: Layout): Promise<Fleet> {
    const redis = await RedisCluster.start(layout);
    const started: Instance[] = [];
    const fleet = new Fleet(redis, started);
    try {
      // Many at once would let each other wait for longer than Redis may take to answer.
      for (let count = 0; count < instances; count++) started.push(await Instance.start(redis.ports));
      if (layout === 'by place') await fleet.arrange();
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** The ports of the instances. */
  get ports(): readonly number[] {
    return this.instances.map(({ port }) => port);
  }

  /** Of a cluster `by place`: moves what belongs to all instances, and to each of them, to its node. */
  async arrange(): Promise<void> {
    const { instances } = await this.counts();
    const names = instances.flatMap((counts) => [...counts.keys()].filter((name) => name.startsWith('key ')));
    await this.redis.arrange([...new Set(names)].map((name) => name.slice('key '.length)));
  }

  async counts(): Promise<FleetCounts> {
    const instances = await Promise.all(this.instances.map((instance) => instance.counts()));
    return { instances, nodes: await Promise.all(this.redis.nodes.map((node) => node.counts())) };
  }

  /** Waits until no instance renews sessions, and none will for so many milliseconds. */
  async quiet(milliseconds: number): Promise<void> {
    const isQuiet = (): boolean =>
      this.instances.every(({ startedAt }) => {
        const since = (performance.now() - startedAt) % RENEWAL;
        return since > RENEWING && since + milliseconds < RENEWAL;
      });
    while (!isQuiet()) await sleep(50);
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.redis.stop();
  }
}

/** What was counted between two times: each counter, of each instance and node. */
export function countedBetween(before: FleetCounts, after: FleetCounts): FleetCounts {
  return combine(after, before, (later, earlier) => later - earlier);
}

/** Both, counter by counter; one that is missing is 0. */
export function combine(
  one: FleetCounts,
  other: FleetCounts,
  value: (one: number, other: number) => number,
): FleetCounts {
  const all = (ones: readonly Counts[], others: readonly Counts[]): Counts[] =>
    ones.map((counts, index) => {
      const names = new Set([...counts.keys(), ...(others[index]?.keys() ?? [])]);
      const values = [...names].map(
        (name) => [name, value(counts.get(name) ?? 0, others[index]?.get(name) ?? 0)] as const,
      );
      return new Map(values);
    });
  return { instances: all(one.instances, other.instances), nodes: all(one.nodes, other.nodes) };
}

/**
 * A process that is woken for each message needs several times the CPU time of one that is busy, but a busy one reads several messages
 * together. What is read together by the busy one is added with the cost of a command.
 * @param busy measured without pauses
 * @param calm measured with pauses, so that nothing is read together
 * @param command microseconds of CPU at a busy instance for one command
 */
export function withCpuOf(busy: OperationCost, calm: OperationCost, command: number): OperationCost {
  const [server, other, every] = ROLES.map((role) => roleOf(busy[role], calm[role], command)) as [
    RoleCost,
    RoleCost,
    RoleCost,
  ];
  return { ...calm, server, other, every };
}

function roleOf(busy: RoleCost, calm: RoleCost, command: number): RoleCost {
  const together = Math.max(0, calm.sent - busy.sent);
  const nodes = calm.nodes.map((node) => {
    const same = busy.nodes.find(({ place }) => place === node.place);
    return same ? nodeOf(same, node) : node;
  });
  return { ...calm, cpu: hundredths(busy.cpu + together * command), nodes };
}

/** The same time for each command. */
function nodeOf(busy: NodeCost, calm: NodeCost): NodeCost {
  const { replica } = calm;
  const ofReplica = busy.replica.commands === 0 ? 0 : (busy.replica.cpu / busy.replica.commands) * replica.commands;
  return {
    ...calm,
    cpu: hundredths((busy.cpu / busy.commands) * calm.commands),
    replica: { ...replica, cpu: hundredths(ofReplica) },
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
