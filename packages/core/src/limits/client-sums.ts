/** The loads of clients that are known by more than a connection: everything that one holds counts together, over all of its sessions. */
import { ClientLoad } from './client-load';

/** What one client holds. */
interface ClientSum {
  calls: number;
  streams: number;
  subscriptions: number;
  weight: number;
}

const NOTHING: Readonly<ClientSum> = { calls: 0, streams: 0, subscriptions: 0, weight: 0 };

/** Tracks the clients that hold something. */
export class ClientSums {
  readonly #sums = new Map<string, ClientSum>();

  /** The number of clients that hold something: all that a client holds has a weight. */
  get size(): number {
    return this.#sums.size;
  }

  /** A part of the load of a client, which reports the total. */
  loadOf(client: string): ClientLoad {
    return new SharedLoad(client, this);
  }

  of(client: string): Readonly<ClientSum> {
    return this.#sums.get(client) ?? NOTHING;
  }

  /** The sum of a client, to be changed; `forgetEmpty` follows. */
  sumOf(client: string): ClientSum {
    const known = this.#sums.get(client);
    if (known) return known;
    const sum = { ...NOTHING };
    this.#sums.set(client, sum);
    return sum;
  }

  /** Forgets a client that holds nothing. */
  forgetEmpty(client: string, { calls, streams, subscriptions, weight }: ClientSum): void {
    if (weight === 0 && calls === 0 && streams === 0 && subscriptions === 0) this.#sums.delete(client);
  }
}

/** Reports the total of the client, and remembers its own part of it. */
class SharedLoad extends ClientLoad {
  #client: string;

  constructor(
    client: string,
    private readonly sums: ClientSums,
  ) {
    super();
    this.#client = client;
  }

  override get client(): string {
    return this.#client;
  }

  override get calls(): number {
    return this.sums.of(this.#client).calls;
  }

  override enter(bytes: number): void {
    super.enter(bytes);
    const sum = this.sums.sumOf(this.#client);
    sum.calls += 1;
    sum.weight += bytes;
  }

  override leave(bytes: number): void {
    super.leave(bytes);
    const sum = this.sums.sumOf(this.#client);
    sum.calls -= 1;
    sum.weight -= bytes;
    this.sums.forgetEmpty(this.#client, sum);
  }

  override get streams(): number {
    return this.sums.of(this.#client).streams;
  }

  override set streams(count: number) {
    const more = count - this.streams;
    super.streams += more;
    this.#add('streams', more);
  }

  override get subscriptions(): number {
    return this.sums.of(this.#client).subscriptions;
  }

  override set subscriptions(count: number) {
    const more = count - this.subscriptions;
    super.subscriptions += more;
    this.#add('subscriptions', more);
  }

  override get weight(): number {
    return this.sums.of(this.#client).weight;
  }

  override hold(bytes: number): void {
    super.hold(bytes);
    this.#add('weight', bytes);
  }

  override moveTo(client: string): void {
    const own: ClientSum = {
      calls: super.calls,
      streams: super.streams,
      subscriptions: super.subscriptions,
      weight: super.weight,
    };
    const kinds = Object.keys(NOTHING) as (keyof ClientSum)[];
    for (const kind of kinds) this.#add(kind, -own[kind]);
    this.#client = client;
    for (const kind of kinds) this.#add(kind, own[kind]);
  }

  #add(kind: keyof ClientSum, amount: number): void {
    if (amount === 0) return;
    const sum = this.sums.sumOf(this.#client);
    sum[kind] += amount;
    if (amount < 0) this.sums.forgetEmpty(this.#client, sum);
  }
}
