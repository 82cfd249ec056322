/** A cluster that stands: a Redis, processes that share it, and the proxy in front of them. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { compileFixtures } from '../../support/compile-fixture';
import type { ClusterOptions } from './options';
import { Instance, type InstanceInit, type Marks } from './processes/instance';
import { SharedRedis } from './processes/shared-redis';
import { RoundRobinProxy, ProxyDefect, PROXY_DEFECTS } from './proxy/round-robin-proxy';
import type { Ledger } from './record/ledger';
import type { Timeline } from './record/timeline';
import { MARK, type Mark } from './server/marks';
import { DEADLINE_VARIABLE } from './server/settings';
import { freePort } from '../../support/free-port';

/** What each process runs. */
type ServerProgram = Pick<InstanceInit, 'program' | 'args' | 'readyLine'>;

/** How the processes are started, and who hears of them. */
interface InstancesInit extends ServerProgram, Pick<InstanceInit, 'env' | 'onEnd'> {
  readonly count: number;
  readonly onMark: (mark: Mark, lane: number) => void;
}

/** Where everything that happens is written down. */
export interface Books {
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly marks: Marks;
}

/** What stands, until it is closed. */
export interface OpenCluster {
  readonly instances: readonly Instance[];
  readonly proxy: RoundRobinProxy;
  /** Undefined where each process is on its own. */
  readonly redis: SharedRedis | undefined;
  readonly origin: string;
  /** Ends everything, and looks at how it ends and what is left in Redis. */
  close(): Promise<void>;
}

/** Milliseconds after which nothing is left of a session or a process that nobody ended in its way. */
const SOON = 60_000;
/** What Redis says of a key without a time. */
const FOR_EVER = -1;

/** The server that actors use. */
const clusterServer = (): ServerProgram => ({
  program: join(compileFixtures(join(__dirname, 'server')), 'main.js'),
  args: [],
  readyLine: `${MARK}{"kind":"ready"`,
});

/** What a cluster is made of. */
export interface ClusterParts extends Pick<ClusterOptions, 'stores' | 'processes' | 'defect'> {
  /** Milliseconds that running calls have when a process ends; as the server has it if left out. */
  readonly deadline?: number;
}

/** Starts a cluster, of the server that actors use if no other is given. */
export async function openCluster(options: ClusterParts, books: Books, server = clusterServer()): Promise<OpenCluster> {
  const redis = options.stores === 'redis' ? await SharedRedis.start() : undefined;
  const { processes: count } = options;
  const env = { ...environmentOf(options), ...(redis && { REDIS_URL: redis.url }) };
  const instances = await startInstances({ ...server, count, env, ...listenersOf(books) }).catch(
    async (error: unknown) => {
      await redis?.stop();
      throw error;
    },
  );
  const ports = instances.map(({ port }) => port);
  const proxy = new RoundRobinProxy(ports, proxyDefect(options));
  const origin = await proxy.listen();
  const close = async (): Promise<void> => {
    await proxy.close();
    await stopAll(instances, books.ledger);
    if (redis) await lookForKeys(redis, books.ledger);
    await redis?.stop();
  };
  return { instances, proxy, redis, origin, close };
}

function environmentOf({ defect, deadline }: ClusterParts): Readonly<Record<string, string>> {
  return {
    SIGIL_SECRETS: randomBytes(32).toString('hex'),
    ...(defect && { CLUSTER_DEFECT: defect }),
    ...(deadline !== undefined && { [DEADLINE_VARIABLE]: `${deadline}` }),
  };
}

function listenersOf({ ledger, timeline, marks }: Books): Pick<InstancesInit, 'onEnd' | 'onMark'> {
  return {
    onEnd: (how) => ledger.break('rejections nobody took', how),
    onMark: (mark, lane) => {
      marks.note({ ...mark, lane, at: timeline.now });
      if (mark.kind === 'unhandled') ledger.break('rejections nobody took', `in process ${lane}: ${mark.label}`);
    },
  };
}

function proxyDefect({ defect }: Pick<ClusterOptions, 'defect'>): ProxyDefect | undefined {
  const found = PROXY_DEFECTS.find((each) => each === defect);
  return found && new ProxyDefect(found);
}

async function stopAll(instances: readonly Instance[], ledger: Ledger): Promise<void> {
  const ends = await Promise.all(instances.map((instance) => instance.stop()));
  ends.forEach((isWell, lane) => isWell || ledger.break('rejections nobody took', `process ${lane} did not end well`));
}

/**
 * Nobody is there any more who could prolong anything. What belongs to a session or a process has its name in braces, and is soon
 * gone; what belongs to all of them, as the topics do, may stay for longer, but not for ever.
 */
async function lookForKeys(redis: SharedRedis, ledger: Ledger): Promise<void> {
  for (const [name, time] of await redis.keys()) {
    if (time === FOR_EVER) ledger.break('keys left in Redis', `${name} for ever`);
    else if (/\{(?!t:)/.test(name) && time > SOON) ledger.break('keys left in Redis', `${name} for another ${time} ms`);
  }
}

/** Starts processes, each on a port of its own. */
async function startInstances({ count, onMark, ...init }: InstancesInit): Promise<readonly Instance[]> {
  const lanes = Array.from({ length: count }, (_, lane) => lane);
  const instances: Instance[] = [];
  for (const lane of lanes) {
    const port = await freePort();
    instances.push(new Instance({ ...init, lane, port, onMark: (mark) => onMark(mark, lane) }));
  }
  await Promise.all(instances.map((instance) => instance.start()));
  return instances;
}
