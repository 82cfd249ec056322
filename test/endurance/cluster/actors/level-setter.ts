/** Sets what it wants to be told at one process, and calls at others. */
import type { Message } from '../../../support/transcript';
import { RawClient } from '../clients/raw-client';
import type { Random } from '../random';
import type { World } from '../world';
import { rest, type Actor } from './actor';

const LEVELS = ['debug', 'error'] as const;

/** Turns the details of the log on and off. */
export const levelSetter: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'level setter' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    const level = random.pick(LEVELS) ?? 'debug';
    const set = await client.request('logging/setLevel', { level });
    if (set.kind === 'result')
      for (let call = 0; call < world.processes; call++) await speak(client, world, { level, random });
    // A process that was held still may do later what it has not answered.
    else await client.end();
    await rest(random);
  }
  await client.end();
};

async function speak(
  client: RawClient,
  world: World,
  { level, random }: { level: string; random: Random },
): Promise<void> {
  const number = random.between(0, 1_000_000);
  const { session } = client;
  let heard = 0;
  const onMessage = ({ method, params }: Message): void => {
    const { data } = (params ?? {}) as { readonly data?: unknown };
    if (method === 'notifications/message' && JSON.stringify(data).includes(`spoken ${number}`)) heard++;
  };
  const outcome = await client.call('speak', { number }, { onMessage });
  const expected = level === 'debug' ? 1 : 0;
  // A session that had to be opened anew begins with a level of its own.
  if (outcome.kind !== 'result' || client.session !== session || heard === expected) return;
  world.ledger.break('wrong answers', `at level ${level}, ${heard} details came from process ${outcome.lane}`);
}
