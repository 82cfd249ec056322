/** Ends sessions in which something runs: they have to be over for every process. */
import { RawClient } from '../clients/raw-client';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { expectAborted, Waiting } from './canceller';
import { until } from '../until';

/** Opens, and ends. */
export const deleter: Actor = async (world, random) => {
  while (!world.over.aborted) {
    const client = new RawClient(world, { name: 'deleter' });
    if ((await client.ready()) === undefined) return;
    await endOnce(client, world);
    await rest(random, 300);
  }
};

async function endOnce(client: RawClient, world: World): Promise<void> {
  const { session } = client;
  const waiting = new Waiting(client);
  const begun = await waiting.begun();
  waiting.isUnwanted = true;
  const hasEnded = client.isOpen && (await client.end());
  if (hasEnded) {
    for (let process = 0; process < world.processes; process++) await expectUnknown(client, world, session);
    if (begun) await expectAborted(world, begun, 'in a session that was ended');
  }
  await waiting.abandon();
  await client.end();
}

async function expectUnknown(client: RawClient, world: World, session: string): Promise<void> {
  const message = { jsonrpc: '2.0', id: 'late', method: 'ping' };
  const arrival = await client.sendInSession({ message, signal: until(world.patience) }, session);
  if (arrival.kind !== 'response') return;
  await arrival.response.body?.cancel();
  if (arrival.response.ok)
    world.ledger.break('ended sessions served', `process ${arrival.lane} answered in a session that was ended`);
}
