/** Subscribes to counters at one process, while they change at others; what it has given up it does not want to hear of. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from '../clients/raw-client';
import { StandingStream } from '../clients/standing-stream';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { Hearing, callAlone } from './listener';
import { until } from '../until';
import type { Random } from '../../../support/random';

/** Milliseconds in which what was said before comes to its end. */
const SILENCE = 300;

/** Names the counter of a subscriber. */
let nextCounter = 0;

/** Subscribes, hears, gives up, and does not hear. */
export const subscriber: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'subscriber' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    const hearing = new Hearing();
    const stream = new StandingStream(client, ({ params }) => {
      const { uri } = (params ?? {}) as { readonly uri?: string };
      if (uri !== undefined) hearing.hear(uri);
    });
    await Promise.race([stream.opened, once(world.over, 'abort')]);
    while (client.isOpen && !world.over.aborted) await followCounter({ client, hearing, stream, world }, random);
    await stream.stop();
  }
  await client.end();
};

interface Subscription {
  readonly client: RawClient;
  readonly hearing: Hearing;
  readonly stream: StandingStream;
  readonly world: World;
}

async function followCounter({ client, hearing, stream, world }: Subscription, random: Random): Promise<void> {
  const name = `c${nextCounter++}`;
  const uri = `counter://${name}`;
  const subscribed = await client.request('resources/subscribe', { uri });
  if (subscribed.kind === 'result') {
    for (let touch = 0; touch < 5 && client.isOpen; touch++)
      await expectHeard({ client, hearing, stream, world }, name);
    const given = await client.request('resources/unsubscribe', { uri });
    if (given.kind === 'result') await expectSilence({ client, hearing, stream, world }, name);
  }
  await rest(random);
}

async function expectHeard({ client, hearing, world }: Subscription, name: string): Promise<void> {
  const { ledger, patience, timeline } = world;
  const [since, at] = [performance.now(), timeline.now];
  const touched = await callAlone(world, 'touch', { name });
  if (touched.kind !== 'result') return;
  const isHeard = await hearing.wait(`counter://${name}`, since, until(patience));
  if (isHeard) ledger.count('changes heard');
  else if (client.isOpen && !timeline.redisAway(at) && !timeline.killed(touched.lane, at))
    ledger.break('changes not heard', `of ${name}, touched at process ${touched.lane}`);
}

async function expectSilence({ client, hearing, stream, world }: Subscription, name: string): Promise<void> {
  await delay(SILENCE);
  const [since, at, { breaks }] = [performance.now(), world.timeline.now, stream];
  await callAlone(world, 'touch', { name });
  await delay(SILENCE);
  const isHeard = hearing.hasHeard(`counter://${name}`, since);
  // What was sent before comes again where a connection broke, and late where a process was held still.
  if (isHeard && client.isOpen && breaks === stream.breaks && !world.timeline.anything(at))
    world.ledger.break('wrong answers', `${name} was given up, and still heard of`);
}
