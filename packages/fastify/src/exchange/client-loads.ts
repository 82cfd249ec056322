/** The loads of clients over HTTP: the calls of one principal, or of one address, count together, whatever sessions they open. */
import { ClientLoad } from '@sigil-mcp/core/adapter';
import type { HttpCall } from './http-exchange';

/** Knows the clients that have something running; of the others there is nothing to know. */
export class ClientLoads {
  readonly #loads = new Map<string, ClientLoad>();

  /** How many clients have something running. */
  get size(): number {
    return this.#loads.size;
  }

  /** The load of whoever sends a request. */
  of(call: HttpCall): ClientLoad {
    const client = clientOf(call);
    return this.#loads.get(client) ?? new SharedLoad(client, this.#loads);
  }

  /** The load of a session that a request opens: its calls count with those of whoever opens it, all else is its own. */
  ofSession(call: HttpCall): ClientLoad {
    return new SessionLoad(clientOf(call), this.#loads);
  }
}

/** In the table from its first running request to its last. */
class SharedLoad extends ClientLoad {
  constructor(
    private readonly client: string,
    private readonly loads: Map<string, ClientLoad>,
  ) {
    super();
  }

  override enter(): void {
    super.enter();
    if (this.calls === 1 && !this.loads.has(this.client)) this.loads.set(this.client, this);
  }

  override leave(): void {
    super.leave();
    if (this.calls === 0 && this.loads.get(this.client) === this) this.loads.delete(this.client);
  }
}

/** Its calls are those of its client, in all of the client's sessions. */
class SessionLoad extends ClientLoad {
  constructor(
    private readonly client: string,
    private readonly loads: Map<string, ClientLoad>,
  ) {
    super();
  }

  override get calls(): number {
    return this.loads.get(this.client)?.calls ?? 0;
  }

  override enter(): void {
    (this.loads.get(this.client) ?? new SharedLoad(this.client, this.loads)).enter();
  }

  override leave(): void {
    this.loads.get(this.client)?.leave();
  }
}

/** Whom requests are counted for: the principal, where one is known, else the address. */
export function clientOf({ caller: { principal }, request }: HttpCall): string {
  return principal === undefined ? `address ${request.ip}` : `principal ${principal}`;
}
