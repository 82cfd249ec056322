/** What is done to a cluster, each kind on its own, so that a run can choose among them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../support/random';
import type { Instance } from './processes/instance';
import type { SharedRedis } from './processes/shared-redis';
import type { RoundRobinProxy } from './proxy/round-robin-proxy';
import type { RedisFault, Timeline } from './record/timeline';
import type { World } from './world';

/** What can be harmed. */
export interface Victims {
  readonly world: World;
  readonly instances: readonly Instance[];
  readonly proxy: RoundRobinProxy;
  /** Undefined where each process is on its own. */
  readonly redis: SharedRedis | undefined;
}

/** Does harm again and again until the signal fires; then everything is as it was before. */
type Chaos = (victims: Victims, random: Random, over: AbortSignal) => Promise<void>;

/** Milliseconds between two harms of a kind. */
const EVERY = { kill: 2000, stop: 7000, redis: 6000, cut: 250 };
const TRIES = 20;
const BETWEEN_TRIES = 250;
const STOPPED_FOR = 5000;
/** Milliseconds for which a connection is dead before it breaks. */
const DEAD_FOR = 2000;
/** Of those that are harmed. */
const HALF_OPEN = 0.15;

const HARMS: readonly (readonly [RedisFault, (redis: SharedRedis) => Promise<void>])[] = [
  ['unsubscribed', (redis) => redis.unsubscribe()],
  ['restarted', (redis) => redis.restart()],
  ['asleep', (redis) => redis.sleep(2)],
  ['emptied', (redis) => redis.empty()],
];

/** Every two seconds a process is killed, and another one starts in its place; another one is there to be met meanwhile. */
const kills: Chaos = async ({ instances, world }, random, over) => {
  const restarts: Promise<void>[] = [];
  while (await pause(EVERY.kill, over)) {
    const up = instances.filter(({ isUp }) => isUp);
    const victim = random.pick(up);
    if (victim && up.length >= Math.min(2, instances.length)) restarts.push(restart(victim, world.timeline));
  }
  await Promise.all(restarts);
};

async function restart(victim: Instance, timeline: Timeline): Promise<void> {
  const ended = timeline.begin('killed', victim.lane);
  await victim.kill();
  await startAgain(victim);
  ended();
}

/** As whatever keeps processes running does: one that begins while Redis is away ends with an error, and is started once more. */
async function startAgain(victim: Instance): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await victim.start();
    } catch (error) {
      if (
        left === 0 ||
        !String(error).includes('The stores that this server shares with other instances cannot be used')
      )
        throw error;
      await delay(BETWEEN_TRIES);
    }
  }
}

/** A process sleeps; it comes back, and must not go on where others have ended what it did. */
const stops: Chaos = async ({ instances, world }, random, over) => {
  while (await pause(EVERY.stop, over)) {
    const victim = random.pick(instances.filter(({ isUp }) => isUp));
    if (!victim) continue;
    const ended = world.timeline.begin('paused', victim.lane);
    victim.pause();
    await pause(STOPPED_FOR, over);
    victim.resume();
    ended();
  }
};

/** Redis goes away and comes back, with what it held or without; stands still; cuts those who listen to it: all in turn. */
const redisFaults: Chaos = async ({ redis, world }, _random, over) => {
  for (let turn = 0; redis && (await pause(EVERY.redis, over)); turn++) {
    const [kind, harm] = HARMS[turn % HARMS.length]!;
    const ended = world.timeline.begin(kind);
    await harm(redis);
    ended();
  }
};

/** Connections of streams, wherever they are, break, or are dead without a word. */
const cuts: Chaos = async ({ proxy, world }, random, over) => {
  while (await pause(random.between(EVERY.cut / 2, EVERY.cut * 2), over)) {
    const victim = random.pick(proxy.streams);
    if (!victim) continue;
    if (random.chance(HALF_OPEN)) {
      victim.leave(DEAD_FOR);
      world.ledger.count('streams left half-open');
    } else {
      victim.cut();
      world.ledger.count('streams cut');
    }
  }
};

/** All kinds, by the words that choose them. */
export const CHAOS = { kills, stops, redis: redisFaults, cuts } satisfies Record<string, Chaos>;

/** The word for one. */
export type ChaosName = keyof typeof CHAOS;

/** Waits for so many milliseconds, or until the signal fires. @returns whether to go on */
export async function pause(milliseconds: number, over: AbortSignal): Promise<boolean> {
  await delay(milliseconds, undefined, { signal: over }).catch(() => undefined);
  return !over.aborted;
}
