/** Calls over HTTP+SSE of the oldest revision: its stream is on one process, its messages go to any. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { readEvents } from '../../../programs/e2e/read-events';
import type { Message } from '../../../support/transcript';
import { enter, textOf, type Outcome } from '../clients/exchange';
import { send } from '../clients/send';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { Hearing } from './listener';
import { until } from '../until';
import type { Random } from '../../../support/random';

const REVISION = '2024-11-05';
/** Milliseconds after which a client has noticed that its stream broke. */
const NOTICED = 3000;

/** Milliseconds after which a process that is let go on has said that it is alive. */
const SILENT = 2000;

/** A session of this transport lasts as long as its stream. */
class SseSession {
  readonly #left = new AbortController();
  readonly #hearing = new Hearing();
  readonly #answers = new Map<unknown, Message>();
  readonly reading: Promise<void>;
  #path: string | undefined;
  #lane = -1;
  #nextId = 1;

  constructor(private readonly world: World) {
    this.reading = this.#read();
  }

  get isOver(): boolean {
    return this.#left.signal.aborted;
  }

  /** Waits until it is known where to send. */
  async open(): Promise<boolean> {
    await this.#hearing.wait('endpoint', 0, this.#left.signal);
    const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'sse', version: '1' } };
    return (await this.request('initialize', params)).kind === 'result';
  }

  async request(method: string, params: object): Promise<Outcome> {
    const { world } = this;
    const id = this.#nextId++;
    const since = world.timeline.now;
    const late = until(world.patience);
    const signal = until(2 * world.patience, late, this.#left.signal);
    const message = { jsonrpc: '2.0', id, method, params };
    const arrival = await send(world, { path: this.#path ?? '/messages', message, signal });
    const lanes = arrival.kind === 'response' ? [this.#lane, arrival.lane] : [this.#lane];
    const outcome = await this.#outcome(arrival.kind === 'response' ? arrival.response : undefined, id, {
      signal,
      late,
    });
    enter(world, { what: `${method} over HTTP+SSE`, since, lanes }, outcome);
    return outcome;
  }

  async close(): Promise<void> {
    this.#left.abort();
    await this.reading;
  }

  async #outcome(
    response: Response | undefined,
    id: number,
    { signal, late }: { signal: AbortSignal; late: AbortSignal },
  ): Promise<Outcome> {
    if (response?.status === 503) return this.#refused();
    if (response?.status === 202) await this.#hearing.wait(`answer ${id}`, 0, signal);
    const { result, error } = (this.#answers.get(id) ?? {}) as {
      result?: Message;
      error?: { code: number; message: string };
    };
    if (result) return { kind: 'result', result, lane: this.#lane };
    if (error) return { kind: 'error', code: error.code, why: error.message };
    if (response?.status === 404) return this.#lost();
    // The session is over with its stream, and the client has seen that.
    if (this.isOver || !response) return { kind: 'broken', why: 'the stream has ended' };
    return late.aborted ? { kind: 'none' } : { kind: 'error', code: response.status, why: await response.text() };
  }

  /** The process that has the stream may be held still, or has just begun again to say that it is alive. */
  #refused(): Outcome {
    const { ledger, timeline } = this.world;
    if (!timeline.disturbed(this.#lane, timeline.now - SILENT)) return { kind: 'refused' };
    ledger.count('calls refused with 503');
    return { kind: 'over' };
  }

  /** A session that one process does not know, though its stream is open at another. */
  async #lost(): Promise<Outcome> {
    await once(this.#left.signal, 'abort', { signal: until(NOTICED) }).catch(() => undefined);
    const { ledger, timeline, patience } = this.world;
    if (!this.isOver && !timeline.emptied(timeline.now - patience)) ledger.break('sessions lost', 'of HTTP+SSE');
    this.#left.abort();
    return { kind: 'over' };
  }

  async #read(): Promise<void> {
    const { signal } = this.#left;
    const arrival = await send(this.world, { path: '/sse', method: 'GET', signal });
    if (arrival.kind === 'response') {
      this.#lane = arrival.lane;
      await this.#take(arrival.response).catch(() => undefined);
    }
    this.#left.abort();
  }

  async #take(response: Response): Promise<void> {
    for await (const { event, data } of readEvents(response)) {
      if (event === 'endpoint') {
        this.#path = data;
        this.#hearing.hear('endpoint');
      } else {
        this.#keep(JSON.parse(data) as Message);
      }
    }
  }

  #keep(message: Message): void {
    if ('method' in message) return;
    const answer = `answer ${String(message['id'])}`;
    if (this.#answers.has(message['id'])) this.world.ledger.break('duplicates on a stream', `${answer} over HTTP+SSE`);
    this.#answers.set(message['id'], message);
    this.#hearing.hear(answer);
  }
}

/** Calls with numbers; opens another stream when one has ended. */
export const sseCaller: Actor = async (world, random) => {
  while (!world.over.aborted) {
    const session = new SseSession(world);
    if (await session.open()) while (!session.isOver && !world.over.aborted) await callOnce(session, world, random);
    await session.close();
    await delay(100);
  }
};

async function callOnce(session: SseSession, world: World, random: Random): Promise<void> {
  const number = random.between(0, 1_000_000);
  const outcome = await session.request('tools/call', { name: 'echo', arguments: { number } });
  const text = outcome.kind === 'result' ? textOf(outcome.result) : `echo ${number}`;
  if (text !== `echo ${number}`) world.ledger.break('wrong answers', `echo of ${number} over HTTP+SSE: "${text}"`);
  await rest(random);
}
