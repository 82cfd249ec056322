/**
 * Hears that the list of tools has changed, at whichever process it did: also of what changed after it had opened its session and
 * before it had opened its stream.
 */
import { RawClient } from '../clients/raw-client';
import { StandingStream } from '../clients/standing-stream';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { callAlone } from './alone-caller';
import { Hearing } from './hearing';
import { until } from '../until';

const CHANGE = 'notifications/tools/list_changed';

/** Changes the list, and waits to hear of it. */
export const listWatcher: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'list watcher' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    const hearing = new Hearing();
    const stream = new StandingStream(client, ({ method }) => hearing.hear(String(method)));
    while (client.isOpen && !world.over.aborted) {
      await expectHeard(client, hearing, world);
      await rest(random);
    }
    await stream.stop();
  }
  await client.end();
};

async function expectHeard(client: RawClient, hearing: Hearing, world: World): Promise<void> {
  const { ledger, patience, timeline } = world;
  const [since, at] = [performance.now(), timeline.now];
  const changed = await callAlone(world, 'change', {});
  if (changed.kind !== 'result') return;
  if (await hearing.wait(CHANGE, since, until(patience))) ledger.count('changes heard');
  else if (client.isOpen && !timeline.redisAway(at) && !timeline.killed(changed.lane, at))
    ledger.break('changes not heard', `of the list of tools, changed at process ${changed.lane}`);
}
