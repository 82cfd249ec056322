/** Listens to changes in the revision without sessions: as long as its connection holds, it hears of all. */
import { ALONE_META, type Message } from '../../../support/transcript';
import { send } from '../clients/send';
import { StreamRecord } from '../clients/stream-record';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { aloneHeaders } from '../clients/alone-headers';
import { callAlone } from './alone-caller';
import { Hearing } from './hearing';
import { until } from '../until';

const NAME = 'listened';
const URI = `counter://${NAME}`;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Opens a stream, has the counter touched, and waits to hear of it; opens another when that one has ended. */
export const listener: Actor = async (world, random) => {
  while (!world.over.aborted) {
    const hearing = new Hearing();
    const left = new AbortController();
    const listening = listen(world, hearing, left);
    const isThere = await hearing.wait(ACKNOWLEDGED, 0, until(world.patience, left.signal, world.over));
    if (!isThere && !left.signal.aborted && !world.over.aborted)
      world.ledger.break('calls without an outcome', 'a listener was not told that it is heard');
    while (isThere && !left.signal.aborted && !world.over.aborted) {
      await expectHeard(world, hearing, left.signal);
      await rest(random);
    }
    left.abort();
    await listening;
    await rest(random);
  }
};

/** Holds one stream; fires `left` when it has ended. */
async function listen(world: World, hearing: Hearing, left: AbortController): Promise<void> {
  const method = 'subscriptions/listen';
  const params = { notifications: { resourceSubscriptions: [URI] }, _meta: ALONE_META };
  const message = { jsonrpc: '2.0', id: 'listen', method, params };
  const arrival = await send(world, { message, headers: aloneHeaders(method), signal: left.signal });
  const record = new StreamRecord('listener', world.ledger);
  const take = ({ method: said }: Message): boolean => {
    hearing.hear(String(said));
    return false;
  };
  if (arrival.kind === 'response') await record.read(arrival.response, take);
  left.abort();
}

async function expectHeard(world: World, hearing: Hearing, left: AbortSignal): Promise<void> {
  const { ledger, patience, timeline } = world;
  const [since, at] = [performance.now(), timeline.now];
  const touched = await callAlone(world, 'touch', { name: NAME });
  if (touched.kind !== 'result') return;
  const signal = until(patience, left);
  if (await hearing.wait('notifications/resources/updated', since, signal)) ledger.count('changes heard');
  else if (!left.aborted && !timeline.redisAway(at) && !timeline.killed(touched.lane, at))
    ledger.break('changes not heard', `by a listener, touched at process ${touched.lane}`);
}
