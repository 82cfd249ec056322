/** The stream of a session that belongs to no request, held open for as long as the session is, over many connections. */
import type { Message } from '../../../support/transcript';
import { reasonOf } from './send';
import { type InSession } from './in-session';
import { readEvents } from '../../../programs/e2e/read-events';
import type { Ledger } from '../record/ledger';
import { setTimeout as delay } from 'node:timers/promises';

/** Before a client comes back, milliseconds. */
const PAUSE = 50;

/** Whether the end of a connection was an end, or the connection broke. */
type StreamEnd = 'ended' | 'broken';

/** Opened once for each session. */
export class StandingStream {
  readonly #record: StreamRecord;
  readonly #stopped = new AbortController();
  /** How often a connection has ended. */
  breaks = 0;
  /** Resolves when the stream is over. */
  readonly ended: Promise<void>;
  /** Resolves when it is open for the first time, or over. */
  readonly opened: Promise<void>;
  #open: () => void = () => undefined;

  constructor(
    private readonly client: InSession,
    private readonly onMessage: (message: Message) => void,
  ) {
    this.#record = new StreamRecord(`${client.name}: the stream of the session`, client.world.ledger);
    this.opened = new Promise((resolve) => (this.#open = resolve));
    this.ended = this.#follow().finally(this.#open);
  }

  /** Lets the connection go. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.ended;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    const take = (message: Message): boolean => {
      this.onMessage(message);
      return false;
    };
    while (this.client.isOpen && !signal.aborted) {
      const response = await resume(this.client, this.#record, signal);
      if (!response) continue;
      this.#open();
      await this.#record.read(response, take);
      this.#record.brokenAt = this.client.world.timeline.now;
      this.breaks++;
    }
  }
}

/** One stream. */
export class StreamRecord {
  readonly #seen = new Set<string>();
  /** The id to come back with. */
  last: string | undefined;
  /** The processes of its connections. */
  readonly lanes: number[] = [];
  /** When it broke, in milliseconds of the timeline. */
  brokenAt = 0;

  constructor(
    private readonly what: string,
    private readonly ledger: Ledger,
  ) {}

  /** Reads a connection to its end, or until a message is the last that is wanted. */
  async read(response: Response, take: (message: Message) => boolean): Promise<StreamEnd | 'taken'> {
    try {
      for await (const { id, data, event } of readEvents(response)) {
        if (id !== undefined) this.#note(id, data);
        if (data !== '' && event !== 'endpoint' && take(JSON.parse(data) as Message)) return 'taken';
      }
      return 'ended';
    } catch {
      return 'broken';
    }
  }

  #note(id: string, data: string): void {
    if (data !== '' && this.#seen.has(id))
      this.ledger.break('duplicates on a stream', `${this.what}: ${id} came twice`);
    if (data !== '') this.#seen.add(id);
    this.last = id;
  }
}

/**
 * Opens a stream from where its record ends, or from its beginning; tries again while that cannot be done.
 * @returns the response; undefined where the session is over, the stream is kept no more, or the signal has fired
 */
export async function resume(
  client: InSession,
  record: StreamRecord,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const since = client.world.timeline.now;
  while (client.isOpen && !signal.aborted) {
    await delay(PAUSE);
    const headers: Record<string, string> = record.last === undefined ? {} : { 'last-event-id': record.last };
    const arrival = await client.sendInSession({ method: 'GET', headers, signal });
    if (arrival.kind !== 'response') continue;
    const { response, lane } = arrival;
    if (response.status === 200) {
      note(client, record, lane);
      return response;
    }
    const text = await response.text().catch(reasonOf);
    if (client.isLost(response)) return undefined;
    if (!mayTryAgain(client, response.status, since)) {
      refuse(client, record, `${response.status} ${text}`);
      return undefined;
    }
  }
  return undefined;
}

/** 409: the connection before is not known to be broken yet. 503: Redis is away. */
function mayTryAgain({ world }: InSession, status: number, since: number): boolean {
  return status === 409 || (status === 503 && world.timeline.redisAway(since));
}

function note({ world }: InSession, record: StreamRecord, lane: number): void {
  const { ledger, timeline } = world;
  const before = record.lanes.at(-1);
  record.lanes.push(lane);
  if (before === undefined) return;
  ledger.count('streams resumed');
  if (before !== lane) ledger.count('streams resumed at another process');
  timeline.resumptions.push({ from: before, to: lane, brokenAt: record.brokenAt, resumedAt: timeline.now });
}

function refuse({ world, name }: InSession, record: StreamRecord, how: string): void {
  const isExcused = world.timeline.emptied(record.brokenAt - world.patience);
  if (!isExcused) world.ledger.break('gaps on a stream', `${name} came back after ${record.last}: ${how}`);
}
