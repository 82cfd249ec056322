/** Cancels calls that would wait for ever, wherever they run. */
import { RawClient } from '../clients/raw-client';
import type { SeenMark } from '../processes/instance';
import type { World } from '../world';
import { rest, type Actor } from './actor';

/** Milliseconds between two looks at whether the process still lives. */
const A_MOMENT = 500;

/** Starts, and cancels. */
export const canceller: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'canceller' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    await cancelOnce(client, world);
    await rest(random);
  }
  await client.end();
};

async function cancelOnce(client: RawClient, world: World): Promise<void> {
  const waiting = new Waiting(client);
  const begun = await waiting.begun();
  if (begun) {
    waiting.isUnwanted = true;
    const params = { requestId: waiting.requestId };
    const lane = await client.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    if (lane !== undefined) await expectAborted(world, begun, 'cancelled');
  }
  await waiting.abandon();
}

/** A call that waits, and is known by its label. */
export class Waiting {
  readonly requestId: number;
  /** Whether its client has said that it waits for no answer. */
  isUnwanted = false;
  readonly #abandoned = new AbortController();
  readonly #outcome: Promise<unknown>;
  readonly #label: string;

  constructor(private readonly client: RawClient) {
    this.requestId = client.nextId;
    this.#label = `${client.session}-${this.requestId}`;
    const options = { abandoned: this.#abandoned.signal, isUnwanted: () => this.isUnwanted };
    this.#outcome = client.call('wait', { label: this.#label }, options);
  }

  /** Waits until it runs; undefined where it came to its end instead. */
  async begun(): Promise<SeenMark | undefined> {
    const { marks, patience } = this.client.world;
    return Promise.race([marks.find('begun', this.#label, patience), this.#outcome.then(() => undefined)]);
  }

  /** Lets the connection go. */
  async abandon(): Promise<void> {
    this.isUnwanted = true;
    this.#abandoned.abort();
    await this.#outcome;
  }
}

/** A call has to hear that it is over, unless its process was killed. */
export async function expectAborted(world: World, begun: SeenMark, why: string): Promise<void> {
  const { ledger, marks, timeline, patience } = world;
  const isExcused = (): boolean => timeline.killed(begun.lane, begun.at) || timeline.emptied(begun.at);
  const end = performance.now() + patience;
  while (performance.now() < end && !isExcused())
    if (await marks.find('aborted', begun.label, A_MOMENT)) return ledger.count('cancellations heard');
  if (!isExcused())
    ledger.break('cancellations not heard', `a call on process ${begun.lane} runs on, though it was ${why}`);
}
