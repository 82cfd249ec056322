/** Listens to changes in the revision without sessions: as long as its connection holds, it hears of all. */
import { ALONE_META, type Message } from '../../../support/transcript';
import { send, reasonOf } from '../clients/send';
import { StreamRecord } from '../clients/standing-stream';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { aloneHeaders } from '../clients/alone-headers';
import { until } from '../until';
import { EventEmitter, once } from 'node:events';
import { enter, textOf, type Outcome } from '../clients/exchange';

/** Calls with numbers. */
export const aloneCaller: Actor = async (world, random) => {
  while (!world.over.aborted) {
    const number = random.between(0, 1_000_000);
    const outcome = await callAlone(world, 'echo', { number });
    const text = outcome.kind === 'result' ? textOf(outcome.result) : `echo ${number}`;
    if (text !== `echo ${number}`) world.ledger.break('wrong answers', `echo of ${number} was answered with "${text}"`);
    await rest(random);
  }
};

/** Notes when a change was heard of last. */
export class Hearing {
  readonly #last = new Map<string, number>();
  readonly #news = new EventEmitter().setMaxListeners(0);

  /** A change was heard of. */
  hear(change: string): void {
    this.#last.set(change, performance.now());
    this.#news.emit(change);
  }

  /** Whether it was heard of since a point in time (`performance.now()`). */
  hasHeard(change: string, since: number): boolean {
    return (this.#last.get(change) ?? -1) >= since;
  }

  /** Waits until it is heard of, or a signal fires. @returns whether it was */
  async wait(change: string, since: number, signal: AbortSignal): Promise<boolean> {
    if (!this.hasHeard(change, since)) await once(this.#news, change, { signal }).catch(() => undefined);
    return this.hasHeard(change, since);
  }
}

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

/** Calls a tool once, and enters the outcome into the book. */
export async function callAlone(world: World, name: string, args: object): Promise<Outcome> {
  const since = world.timeline.now;
  const signal = until(world.patience);
  const params = { name, arguments: args, _meta: ALONE_META };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const arrival = await send(world, { message, headers: aloneHeaders('tools/call', name), signal });
  const lanes = arrival.kind === 'response' ? [arrival.lane] : [];
  const outcome = arrival.kind === 'response' ? await outcomeOf(arrival.response, arrival.lane) : notAnswered(arrival);
  enter(world, { what: `call of ${name} that stands alone`, since, lanes }, outcome);
  return outcome;
}

function notAnswered(arrival: { kind: 'broken'; why: string } | { kind: 'late' }): Outcome {
  return arrival.kind === 'late' ? { kind: 'none' } : arrival;
}

async function outcomeOf(response: Response, lane: number): Promise<Outcome> {
  try {
    const text = await response.text();
    if (response.status !== 200) return { kind: 'error', code: response.status, why: text };
    const { result, error } = JSON.parse(text) as { result?: Message; error?: { code: number; message: string } };
    return result ? { kind: 'result', result, lane } : { kind: 'error', code: error?.code, why: error?.message ?? '' };
  } catch (error) {
    return { kind: 'broken', why: reasonOf(error) };
  }
}
