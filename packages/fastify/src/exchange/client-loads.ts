/** The loads of clients over HTTP: the calls of one principal, or of one address, count together, whatever sessions they open. */
import { ClientLoad, networkOf, readAddress } from '@sigil-mcp/core/adapter';
import type { HttpCall } from './http-exchange';

/** Knows the clients that have something running; of the others there is nothing to know. */
export class ClientLoads {
  readonly #table: LoadTable = new Map();

  /** How many clients have something running. */
  get size(): number {
    return this.#table.size;
  }

  /** The load of whoever sends a request. */
  of(call: Pick<HttpCall, 'caller' | 'request'>): ClientLoad {
    return new SharedLoad(clientOf(call), this.#table);
  }

  /** The load of a session that a request opens: its calls count with those of whoever opens it, all else is its own. */
  ofSession(call: Pick<HttpCall, 'caller' | 'request'>): ClientLoad {
    return new SessionLoad(clientOf(call), this.#table);
  }
}

/** Client -> what all that it opened makes the server hold. */
type LoadTable = Map<string, ClientLoad>;

/** The calls of a client, in whatever it opened. Looked up each time: the client is in the table while it holds something. */
class SessionLoad extends ClientLoad {
  constructor(
    private readonly client: string,
    private readonly table: LoadTable,
  ) {
    super();
  }

  override get calls(): number {
    return this.held?.calls ?? 0;
  }

  override enter(): void {
    this.change((load) => load.enter());
  }

  override leave(): void {
    this.change((load) => load.leave());
  }

  protected get held(): ClientLoad | undefined {
    return this.table.get(this.client);
  }

  protected change(change: (load: ClientLoad) => void): void {
    const load = this.held ?? new ClientLoad();
    change(load);
    if (load.calls + load.streams + load.subscriptions > 0) this.table.set(this.client, load);
    else this.table.delete(this.client);
  }
}

/** And its streams and subscriptions, where no session has them. */
class SharedLoad extends SessionLoad {
  override get streams(): number {
    return this.held?.streams ?? 0;
  }

  override set streams(count: number) {
    this.change((load) => (load.streams = count));
  }

  override get subscriptions(): number {
    return this.held?.subscriptions ?? 0;
  }

  override set subscriptions(count: number) {
    this.change((load) => (load.subscriptions = count));
  }
}

/** Whom requests are counted for: the principal, where one is known, else the address. */
export function clientOf({ caller: { principal }, request }: Pick<HttpCall, 'caller' | 'request'>): string {
  return principal === undefined ? `address ${networkOf(readAddress(request.ip))}` : `principal ${principal}`;
}
