/** Calls with numbers, and looks at each answer; its session is nothing but calls. */
import { RawClient } from '../clients/raw-client';
import { textOf } from '../clients/outcome';
import type { Random } from '../random';
import type { World } from '../world';
import { rest, type Actor } from './actor';

/** @param revision one that shakes hands */
export function caller(revision: string): Actor {
  return async (world, random) => {
    const client = new RawClient(world, { name: `caller of ${revision}`, revision });
    while (!world.over.aborted) {
      if ((await client.ready()) === undefined) break;
      await callOnce(client, world, random);
      await rest(random);
    }
    await client.end();
  };
}

async function callOnce(client: RawClient, { ledger }: World, random: Random): Promise<void> {
  const number = random.between(0, 1_000_000);
  const outcome = await client.call('echo', { number });
  if (outcome.kind !== 'result') return;
  const text = textOf(outcome.result);
  if (text !== `echo ${number}`) ledger.break('wrong answers', `echo of ${number} was answered with "${text}"`);
}
