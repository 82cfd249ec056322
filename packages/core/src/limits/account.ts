/**
 * The one account of the memory that clients make a server hold, in bytes: running calls with their messages, sessions, streams, subscriptions,
 * bodies in transit, events and answers that wait for their clients, and what extensions keep. There is a share for each client and a sum for
 * the server. What would exceed one of them is refused, after what can be dropped was dropped.
 */
import { overload } from '../errors/denial';
import { ClientLoad } from './client-load';
import { ClientKeys, LOCAL_CLIENT } from './client-key';
import { type HeldAccount, type HeldLimit, type Holding, type Keeper, once } from './held-account';
import type { ResolvedLimits } from './server-limits';

/** What one client holds. */
interface ClientSum {
  calls: number;
  streams: number;
  subscriptions: number;
  weight: number;
}

const NOTHING: Readonly<ClientSum> = { calls: 0, streams: 0, subscriptions: 0, weight: 0 };

/** Tracks the clients that hold something. */
class ClientSums {
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

/** Bytes of memory in addition to the message itself, as `npm run limits` measures them, rounded up. */
export const WEIGHTS = {
  /** A running call, with its exchange and its connection. */
  call: 10 * 1024,
  /** What one observer, such as that of telemetry, remembers of a running call. */
  observed: 2 * 1024,
  /** A question to the client, with its stream, its timer and its answer. */
  question: 20 * 1024,
  /** A session without the facts about its client. */
  session: 4 * 1024,
  /** An open event stream, with its connection. */
  stream: 12 * 1024,
  /** A subscription without its URI. */
  subscription: 768,
} as const;

/** What the server itself holds. Extensions have kinds of their own. */
export type HeldKind = 'calls' | 'bodies' | 'answers' | 'unread' | 'sessions' | 'streams' | 'subscriptions';

/** What passes with a call. Everything else lasts, and leaves a part of all memory to calls. */
const PASSING: ReadonlySet<string> = new Set<HeldKind>(['calls', 'bodies', 'answers']);

/** Requests up to this size are small. */
const SMALL = 64 * 1024;
/** The part of all memory that large requests, and what lasts, may take: the rest is reserved for small requests of other clients. */
const PART_OF_LARGE = 0.75;

/** What is held now. */
class HeldSums {
  all = 0;
  readonly kinds: Record<HeldKind, number> & Record<string, number> = {
    calls: 0,
    bodies: 0,
    answers: 0,
    unread: 0,
    sessions: 0,
    streams: 0,
    subscriptions: 0,
  };
  readonly clients = new ClientSums();
  readonly keys = new ClientKeys();
  /** What keeps to limits of its own: asked when it is needed. */
  readonly meters = new Set<{ readonly kind: string; readonly read: () => number }>();
  /** Those who can drop something, in the order in which they are asked. */
  readonly keepers: Keeper[] = [];
}

/** The sums of one server. Each addition must be subtracted once, with the same number of bytes. */
export class Account implements HeldAccount {
  constructor(
    private readonly limits: Pick<ResolvedLimits, 'held' | 'heldPerClient'>,
    private readonly sums = new HeldSums(),
  ) {}

  /** The same account for what was allowed before: it is counted, and never refused. */
  withoutLimits(): Account {
    return new Account({ held: Infinity, heldPerClient: Infinity }, this.sums);
  }

  /** Bytes that all clients make the server hold. */
  get all(): number {
    let { all } = this.sums;
    for (const { read } of this.sums.meters) all += read();
    return all;
  }

  /** Whether the sum is exceeded, by what is not refused, and nothing can be dropped for it. */
  get isExceeded(): boolean {
    const beyond = this.all - this.limits.held;
    return beyond > 0 && !this.#makeRoom(beyond, undefined);
  }

  /** Bytes by what they are held for. */
  get kinds(): Readonly<Record<string, number>> {
    const kinds = { ...this.sums.kinds };
    for (const { kind, read } of this.sums.meters) kinds[kind] = (kinds[kind] ?? 0) + read();
    return kinds;
  }

  /** How many clients hold something. */
  get clients(): number {
    return this.sums.clients.size;
  }

  /** The key of a client, by its principal or its address. */
  clientOf(principal: string | undefined, address: string | undefined): string {
    return this.sums.keys.of(principal, address);
  }

  /** The load of a client whose requests and sessions are counted together. */
  loadOf(client: string): ClientLoad {
    return this.sums.clients.loadOf(client);
  }

  /**
   * Throws `Denial` if a client, or all of them, would exceed the limit. A few clients with large requests do not keep out clients with
   * small ones.
   */
  check(load: ClientLoad, kind: HeldKind, bytes: number): void {
    const limit = this.#limitFor(load, kind, bytes);
    if (limit) throw overload(`limits.${limit}`, `${this.sentenceOf(limit, load)} ${NEXT[limit]}`);
  }

  /** Adds bytes that were checked, or subtracts them if negative; those of the client are counted by its load. */
  add(kind: HeldKind, bytes: number): void {
    this.sums.all += bytes;
    this.sums.kinds[kind] += bytes;
  }

  /**
   * Reserves memory for a longer time. Throws `Denial` if the limit is reached.
   * @returns a function that releases it; a second call does nothing
   */
  take(load: ClientLoad, kind: HeldKind, bytes: number): () => void {
    this.check(load, kind, bytes);
    return this.count(load, kind, bytes);
  }

  /**
   * Counts memory without a check: it was checked before, or in another process.
   * @returns a function that releases it; a second call does nothing
   */
  count(load: ClientLoad, kind: HeldKind, bytes: number): () => void {
    this.add(kind, bytes);
    load.hold(bytes);
    return once(() => {
      this.add(kind, -bytes);
      load.hold(-bytes);
    });
  }

  hold(client: string, kind: string): Holding {
    const load = this.loadOf(client);
    let held = 0;
    const add = (bytes: number): void => {
      held += bytes;
      this.sums.all += bytes;
      this.sums.kinds[kind] = (this.sums.kinds[kind] ?? 0) + bytes;
      load.hold(bytes);
    };
    return {
      get bytes() {
        return held;
      },
      grow: (bytes) => {
        const limit = bytes > 0 ? this.#limitFor(load, kind, bytes) : undefined;
        if (!limit) add(bytes);
        return limit;
      },
      add,
      release: () => add(-held),
    };
  }

  meter(kind: string, read: () => number): () => void {
    const meter = { kind, read };
    this.sums.meters.add(meter);
    return () => void this.sums.meters.delete(meter);
  }

  keep(keeper: Keeper): () => void {
    const { keepers } = this.sums;
    const after = keepers.findIndex(({ order }) => order > keeper.order);
    keepers.splice(after === -1 ? keepers.length : after, 0, keeper);
    return once(() => void keepers.splice(keepers.indexOf(keeper), 1));
  }

  sentenceOf(limit: HeldLimit, load?: ClientLoad): string {
    return limit === 'heldPerClient'
      ? `A client may make the server hold ${inMebibytes((load?.shares ?? this.limits).heldPerClient)} of memory (limits.heldPerClient).`
      : `All clients together may make the server hold ${inMebibytes(this.limits.held)} of memory (limits.held).`;
  }

  /** The limit that leaves no room for more bytes; undefined if there is room. */
  #limitFor(load: ClientLoad, kind: string, bytes: number): HeldLimit | undefined {
    const { held } = this.limits;
    const { client } = load;
    const beyondShare = load.weight + bytes - (load.shares ?? this.limits).heldPerClient;
    // What extensions keep for a local client is kept for the only one.
    if (client !== LOCAL_CLIENT && beyondShare > 0 && !(client !== undefined && this.#makeRoom(beyondShare, client)))
      return 'heldPerClient';
    const all = this.all + bytes;
    if (all <= held * PART_OF_LARGE) return undefined;
    const most = bytes > SMALL || !PASSING.has(kind) ? held * PART_OF_LARGE : held;
    const beyond = all - most;
    return beyond > 0 && !this.#makeRoom(beyond, undefined) ? 'held' : undefined;
  }

  /** Drops what can be dropped. Nothing is dropped for something that has no room even then. */
  #makeRoom(bytes: number, client: string | undefined): boolean {
    const { keepers } = this.sums;
    if (keepers.reduce((sum, keeper) => sum + keeper.droppable(client), 0) < bytes) return false;
    let missing = bytes;
    for (const keeper of keepers) {
      // Some of them count with a meter.
      const { all } = this;
      if (missing > 0) keeper.drop(missing, client);
      missing -= all - this.all;
    }
    return missing <= 0;
  }
}

const NEXT: Readonly<Record<HeldLimit, string>> = {
  heldPerClient: 'Wait for an answer first, or send less.',
  held: 'Try again later.',
};

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
