/** The loads of clients over HTTP: everything that one principal, or one address, holds counts together, over all of its sessions. */
import { ClientLoad, networkOf, readAddress } from '@sigil-mcp/core/adapter';
import type { HttpCall } from './call';

/** Tracks the clients that hold something. */
export class ClientLoads {
  readonly #table: LoadTable = new Map();

  /** The number of clients that hold something. */
  get size(): number {
    return this.#table.size;
  }

  /** The load of the client that sends a request, or opens a session with it. */
  of(call: Pick<HttpCall, 'caller' | 'request'>): ClientLoad {
    return new SharedLoad(clientOf(call), this.#table);
  }

  /** Moves a load from one client to another, because its session has a new owner. */
  move(load: ClientLoad, client: string): void {
    if (load instanceof SharedLoad) load.moveTo(client);
  }
}

/** Everything that a client holds. */
interface ClientTotals {
  calls: number;
  streams: number;
  subscriptions: number;
  weight: number;
}

/** Client -> everything that it holds; clients that hold nothing are not in the table. */
type LoadTable = Map<string, ClientTotals>;

const NOTHING: Readonly<ClientTotals> = { calls: 0, streams: 0, subscriptions: 0, weight: 0 };

/** Reports the total of the client, and remembers its own part of it. */
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

  override enter(bytes: number): void {
    super.enter(bytes);
    this.#change({ calls: 1, weight: bytes });
  }

  override leave(bytes: number): void {
    super.leave(bytes);
    this.#change({ calls: -1, weight: -bytes });
  }

  override get streams(): number {
    return this.#held.streams;
  }

  override set streams(count: number) {
    const more = count - this.streams;
    super.streams += more;
    this.#change({ streams: more });
  }

  override get subscriptions(): number {
    return this.#held.subscriptions;
  }

  override set subscriptions(count: number) {
    const more = count - this.subscriptions;
    super.subscriptions += more;
    this.#change({ subscriptions: more });
  }

  override get weight(): number {
    return this.#held.weight;
  }

  override hold(bytes: number): void {
    super.hold(bytes);
    this.#change({ weight: bytes });
  }

  moveTo(client: string): void {
    const { calls, streams, subscriptions, weight } = this.#own;
    this.#change({ calls: -calls, streams: -streams, subscriptions: -subscriptions, weight: -weight });
    this.client = client;
    this.#change(this.#own);
  }

  get #held(): Readonly<ClientTotals> {
    return this.table.get(this.client) ?? NOTHING;
  }

  #change({ calls = 0, streams = 0, subscriptions = 0, weight = 0 }: Partial<ClientTotals>): void {
    const held = this.table.get(this.client) ?? { ...NOTHING };
    held.calls += calls;
    held.streams += streams;
    held.subscriptions += subscriptions;
    held.weight += weight;
    if (held.calls + held.streams + held.subscriptions + held.weight > 0) this.table.set(this.client, held);
    else this.table.delete(this.client);
  }

  /** The part that this load has added. */
  get #own(): ClientTotals {
    return { calls: super.calls, streams: super.streams, subscriptions: super.subscriptions, weight: super.weight };
  }
}

/** The key by which requests are counted: the principal if there is one, else the address. */
export function clientOf({ caller: { principal }, request }: Pick<HttpCall, 'caller' | 'request'>): string {
  return principal === undefined ? `address ${networkOf(readAddress(request.address))}` : clientNamed(principal);
}

/** The key for the requests of a principal. */
export function clientNamed(principal: string): string {
  return `principal ${principal}`;
}
