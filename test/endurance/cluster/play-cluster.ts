/** One run from its start to its end: actors use a cluster while chaos harms it; then there is peace, and everything comes to its end. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ACTORS } from './actors/all-actors';
import type { Actor } from './actors/actor';
import { CHAOS, pause, type Victims } from './chaos';
import { openCluster } from './open-cluster';
import type { ClusterOptions } from './options';
import { until } from './until';
import { Random } from '../../support/random';
import { Marks } from './processes/instance';
import { Ledger } from './record/ledger';
import { Timeline } from './record/timeline';
import type { World } from './world';

/** What a run has left. */
export interface Played {
  readonly ledger: Ledger;
  readonly timeline: Timeline;
}

/** Milliseconds in which a cluster becomes whole again when nothing is done to it any more. */
const HEALING = 3000;

/** Plays a cluster. */
export async function playCluster(options: ClusterOptions): Promise<Played> {
  const books = { ledger: new Ledger(), timeline: new Timeline(), marks: new Marks() };
  const cluster = await openCluster(options, books);
  try {
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const { processes, chaos, actors } = options;
    const known = { ...books, origin: cluster.origin, processes, patience: options.patience * 1000 };
    const world: World = { ...known, isCalm: chaos.length === 0, over: over.signal };
    const random = new Random(options.seed);
    const chosen = ACTORS.filter(([name]) => actors?.includes(name) ?? true);
    const playing = chosen.map(([name, actor]) => play(world, name, { actor, random: random.fork() }));
    await wreak(options, { world, ...cluster }, random);
    over.abort();
    await Promise.all(playing);
  } finally {
    await cluster.close();
  }
  return books;
}

/** Does harm for the time of the run, and leaves time to heal. */
async function wreak(options: ClusterOptions, victims: Victims, random: Random): Promise<void> {
  const { seconds, chaos, untilBroken } = options;
  const peace = until(seconds * 1000, ...(untilBroken ? [victims.world.ledger.broken(untilBroken)] : []));
  await Promise.all([pause(seconds * 1000, peace), ...chaos.map((name) => CHAOS[name](victims, random.fork(), peace))]);
  if (chaos.length > 0) await delay(HEALING);
}

/** Whoever plays comes to an end; else something that was waited for never came, and nobody noticed. */
async function play(world: World, name: string, { actor, random }: { actor: Actor; random: Random }): Promise<void> {
  const { ledger, patience, over } = world;
  const playing = actor(world, random).catch((error: unknown) =>
    ledger.break('calls without an outcome', `${name} failed: ${error instanceof Error ? error.stack : String(error)}`),
  );
  const overdue = new Promise<'overdue'>((resolve) =>
    over.addEventListener('abort', () => setTimeout(() => resolve('overdue'), 3 * patience).unref(), { once: true }),
  );
  if ((await Promise.race([playing, overdue])) === 'overdue')
    ledger.break('calls without an outcome', `${name} waits for something that never comes`);
}
