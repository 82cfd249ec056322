/** Follows calls that report a hundred steps, while the connection breaks: each step has to come once, in its order. */
import type { Message } from '../../../support/transcript';
import { textOf } from '../clients/outcome';
import { RawClient } from '../clients/raw-client';
import type { World } from '../world';
import { rest, type Actor } from './actor';

const STEPS = 100;

/** Walks again and again. */
export const streamer: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'streamer' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    await walkOnce(client, world, random.between(1, 12));
    await rest(random);
  }
  await client.end();
};

async function walkOnce(client: RawClient, { ledger }: World, pause: number): Promise<void> {
  let last = 0;
  const onMessage = ({ method, params }: Message): void => {
    if (method !== 'notifications/progress') return;
    const { progress } = params as { readonly progress: number };
    if (progress <= last) ledger.break('duplicates on a stream', `step ${progress} after step ${last}`);
    if (progress > last + 1) ledger.break('gaps on a stream', `step ${progress} after step ${last}`);
    last = Math.max(last, progress);
  };
  const outcome = await client.call('walk', { steps: STEPS, pause }, { onMessage });
  if (outcome.kind !== 'result') return;
  if (last !== STEPS) ledger.break('gaps on a stream', `the result came after step ${last}`);
  const text = textOf(outcome.result);
  if (text !== `walked ${STEPS}`) ledger.break('wrong answers', `a walk was answered with "${text}"`);
}
