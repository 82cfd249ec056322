/** A client of a handshake revision that speaks HTTP itself, so that it sees everything: its session, and what it does with it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../../../support/transcript';
import type { World } from '../world';
import { Exchange, type ExchangeOptions } from './exchange';
import type { InSession } from './in-session';
import type { Outcome } from './exchange';
import { send, type Arrival, type Sending } from './send';
import { until } from '../until';

/** What a client says of itself. */
export interface RawClientInit {
  readonly name: string;
  readonly revision?: string;
  readonly capabilities?: object;
}

/** Between two tries, milliseconds. */
const PAUSE = 100;

/** One client, with one session after the other. */
export class RawClient implements InSession {
  readonly revision: string;
  /** Of the session, if one is open. */
  #id: string | undefined;
  #openedAt = 0;
  /** Whether its client is about to end it. */
  #isEnding = false;
  /** Of the next request. */
  nextId = 1;

  constructor(
    readonly world: World,
    private readonly init: RawClientInit,
  ) {
    this.revision = init.revision ?? '2025-11-25';
  }

  get name(): string {
    return this.init.name;
  }

  get isOpen(): boolean {
    return this.#id !== undefined;
  }

  /** Sees to it that there is a session. @returns whether a new one was opened; undefined where none can be had before the end */
  async ready(): Promise<boolean | undefined> {
    if (this.#id !== undefined) return false;
    while (!this.world.over.aborted) {
      if (await this.#open()) return true;
      await delay(PAUSE);
    }
    return undefined;
  }

  /** Sends a request, and follows it to its end. */
  request(method: string, params: object = {}, options: ExchangeOptions = {}): Promise<Outcome> {
    return new Exchange(this, { jsonrpc: '2.0', id: this.nextId++, method, params }, options).run();
  }

  /** Calls a tool. Its progress is asked for where `options` take messages. */
  call(name: string, args: object, options: ExchangeOptions = {}): Promise<Outcome> {
    const meta = options.onMessage && { _meta: { progressToken: `${this.init.name} ${this.nextId}` } };
    return this.request('tools/call', { name, arguments: args, ...meta }, options);
  }

  /** Sends a notification or an answer, again and again until it is taken. @returns the process that took it, if one did */
  async tell(message: object): Promise<number | undefined> {
    const signal = until(this.world.patience);
    while (this.isOpen && !signal.aborted) {
      const arrival = await this.sendInSession({ message, signal });
      if (arrival.kind === 'response') {
        await arrival.response.body?.cancel();
        if (arrival.response.status === 202) return arrival.lane;
        if (this.isLost(arrival.response)) return undefined;
      }
      await delay(PAUSE);
    }
    return undefined;
  }

  /** Ends the session. @returns whether it is known to be ended */
  async end(): Promise<boolean> {
    this.#isEnding = true;
    const signal = until(this.world.patience);
    while (this.isOpen && !signal.aborted) {
      const arrival = await this.sendInSession({ method: 'DELETE', signal });
      // The one before may have been done, and its answer lost.
      if (arrival.kind === 'response' && [204, 404].includes(arrival.response.status)) {
        this.#id = undefined;
        this.world.ledger.count('sessions ended');
        return true;
      }
      await delay(PAUSE);
    }
    return false;
  }

  /** With the headers of another session, if one is named. */
  sendInSession({ headers, ...sending }: Sending, session = this.#id ?? ''): Promise<Arrival> {
    const version = this.revision >= '2025-06-18' ? { 'mcp-protocol-version': this.revision } : {};
    return send(this.world, { ...sending, headers: { 'mcp-session-id': session, ...version, ...headers } });
  }

  /** The id of the session. */
  get session(): string {
    return this.#id ?? '';
  }

  isLost({ status }: Response): boolean {
    if (status !== 404) return false;
    if (this.#id === undefined || this.#isEnding) return true;
    const { ledger, timeline } = this.world;
    if (timeline.emptied(this.#openedAt)) ledger.count('sessions renewed after Redis was emptied');
    else ledger.break('sessions lost', `of ${this.init.name}, after ${Math.round(timeline.now - this.#openedAt)} ms`);
    this.#id = undefined;
    return true;
  }

  async #open(): Promise<boolean> {
    const { name, capabilities = {} } = this.init;
    const params = { protocolVersion: this.revision, capabilities, clientInfo: { name, version: '1' } };
    const message: Message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    const signal = until(this.world.patience);
    const openedAt = this.world.timeline.now;
    const arrival = await send(this.world, { message, signal });
    if (arrival.kind !== 'response') return false;
    const text = await arrival.response.text().catch(() => '');
    const id = arrival.response.headers.get('mcp-session-id');
    if (id === null || !text.includes(`"${this.revision}"`)) return false;
    this.#id = id;
    this.#isEnding = false;
    this.#openedAt = openedAt;
    this.world.ledger.count('sessions opened');
    await this.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return this.isOpen;
  }
}
