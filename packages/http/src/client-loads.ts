/** The loads of clients over HTTP: everything that one principal, or one address, holds counts together, over all of its sessions. */
import { Budget, ClientLoad, networkOf, readAddress } from '@sigil-mcp/core/adapter';
import type { HttpCall } from './call';

/** What is counted of a client. */
interface LoadBudgets {
  readonly calls: Budget<string>;
  readonly streams: Budget<string>;
  readonly subscriptions: Budget<string>;
  readonly weight: Budget<string>;
}

/** Tracks the clients that hold something. */
export class ClientLoads {
  readonly #budgets: LoadBudgets = {
    calls: new Budget(),
    streams: new Budget(),
    subscriptions: new Budget(),
    weight: new Budget(),
  };

  /** The number of clients that hold something: all that a client holds has a weight. */
  get size(): number {
    return this.#budgets.weight.size;
  }

  /** The load of the client that sends a request, or opens a session with it. */
  of(call: Pick<HttpCall, 'caller' | 'request'>): ClientLoad {
    return new SharedLoad(clientOf(call), this.#budgets);
  }

  /** Moves a load from one client to another, because its session has a new owner. */
  move(load: ClientLoad, client: string): void {
    if (load instanceof SharedLoad) load.moveTo(client);
  }
}

/** Reports the total of the client, and remembers its own part of it. */
class SharedLoad extends ClientLoad {
  constructor(
    private client: string,
    private readonly budgets: LoadBudgets,
  ) {
    super();
  }

  override get calls(): number {
    return this.budgets.calls.of(this.client);
  }

  override enter(bytes: number): void {
    super.enter(bytes);
    this.budgets.calls.add(this.client, 1);
    this.budgets.weight.add(this.client, bytes);
  }

  override leave(bytes: number): void {
    super.leave(bytes);
    this.budgets.calls.add(this.client, -1);
    this.budgets.weight.add(this.client, -bytes);
  }

  override get streams(): number {
    return this.budgets.streams.of(this.client);
  }

  override set streams(count: number) {
    const more = count - this.streams;
    super.streams += more;
    this.budgets.streams.add(this.client, more);
  }

  override get subscriptions(): number {
    return this.budgets.subscriptions.of(this.client);
  }

  override set subscriptions(count: number) {
    const more = count - this.subscriptions;
    super.subscriptions += more;
    this.budgets.subscriptions.add(this.client, more);
  }

  override get weight(): number {
    return this.budgets.weight.of(this.client);
  }

  override hold(bytes: number): void {
    super.hold(bytes);
    this.budgets.weight.add(this.client, bytes);
  }

  moveTo(client: string): void {
    const own = {
      calls: super.calls,
      streams: super.streams,
      subscriptions: super.subscriptions,
      weight: super.weight,
    };
    for (const [name, amount] of Object.entries(own) as [keyof LoadBudgets, number][]) {
      this.budgets[name].add(this.client, -amount);
      this.budgets[name].add(client, amount);
    }
    this.client = client;
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
