/** The loads of clients over HTTP: all that one principal, or one address, holds counts together, whatever sessions it opens. */
import { ClientLoad, networkOf, readAddress } from '@sigil-mcp/core/adapter';
import type { HttpCall } from './http-exchange';

/** Knows the clients that hold something; of the others there is nothing to know. */
export class ClientLoads {
  readonly #table: LoadTable = new Map();

  /** How many clients hold something. */
  get size(): number {
    return this.#table.size;
  }

  /** The load of whoever sends a request, or opens a session with it. */
  of(call: Pick<HttpCall, 'caller' | 'request'>): ClientLoad {
    return new SharedLoad(clientOf(call), this.#table);
  }

  /** What counted for one client counts for another from now on: a session has changed its owner. */
  move(load: ClientLoad, client: string): void {
    if (load instanceof SharedLoad) load.moveTo(client);
  }
}

/** What a client holds in all that it opened. */
interface Held {
  calls: number;
  streams: number;
  subscriptions: number;
}

/** Client -> what it holds; whoever holds nothing is not there. */
type LoadTable = Map<string, Held>;

const NOTHING: Readonly<Held> = { calls: 0, streams: 0, subscriptions: 0 };

/** Says what the client holds in all, and remembers what is its own of that. */
class SharedLoad extends ClientLoad {
  constructor(
    private client: string,
    private readonly table: LoadTable,
  ) {
    super();
  }

  override get calls(): number {
    return this.#held.calls;
  }

  override enter(): void {
    super.enter();
    this.#change(1, 0, 0);
  }

  override leave(): void {
    super.leave();
    this.#change(-1, 0, 0);
  }

  override get streams(): number {
    return this.#held.streams;
  }

  override set streams(count: number) {
    const more = count - this.streams;
    super.streams += more;
    this.#change(0, more, 0);
  }

  override get subscriptions(): number {
    return this.#held.subscriptions;
  }

  override set subscriptions(count: number) {
    const more = count - this.subscriptions;
    super.subscriptions += more;
    this.#change(0, 0, more);
  }

  moveTo(client: string): void {
    this.#change(-super.calls, -super.streams, -super.subscriptions);
    this.client = client;
    this.#change(super.calls, super.streams, super.subscriptions);
  }

  get #held(): Readonly<Held> {
    return this.table.get(this.client) ?? NOTHING;
  }

  #change(calls: number, streams: number, subscriptions: number): void {
    const held = this.table.get(this.client) ?? { ...NOTHING };
    held.calls += calls;
    held.streams += streams;
    held.subscriptions += subscriptions;
    if (held.calls + held.streams + held.subscriptions > 0) this.table.set(this.client, held);
    else this.table.delete(this.client);
  }
}

/** Whom requests are counted for: the principal, where one is known, else the address. */
export function clientOf({ caller: { principal }, request }: Pick<HttpCall, 'caller' | 'request'>): string {
  return principal === undefined ? `address ${networkOf(readAddress(request.ip))}` : clientNamed(principal);
}

/** Whom the requests of a principal are counted for. */
export function clientNamed(principal: string): string {
  return `principal ${principal}`;
}
