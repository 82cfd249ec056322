/** Sessions in the storage of a Durable Object. Only this object reads and writes them, so what was read once is known. */
import type { Clock, MaybePromise } from '@sigil-mcp/core/adapter';
import { andThen } from '@sigil-mcp/core/internal';
import { StoreAway, type Replacement, type SessionStore } from '@sigil-mcp/core/stores';

/**
 * What an object stores. Nobody else reads or writes it.
 *
 * What Cloudflare gives to a Durable Object and to a Worker, as far as it is used here: its types are in no package of Node.
 */
export interface ObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: object): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** Everything, so that the object costs nothing any more. */
  deleteAll(): Promise<void>;
  list(options: { readonly prefix: string }): Promise<Map<string, unknown>>;
  /** When `alarm()` will be called, in milliseconds since 1970; null if it will not. */
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
}

/** The first argument of the constructor of an object. */
export interface ObjectState {
  readonly storage: ObjectStorage;
}

/** The name of an object. */
export interface ObjectId {
  toString(): string;
}

/** A binding of a Worker to the objects of a class. */
export interface ObjectNamespace {
  newUniqueId(): ObjectId;
  /** Throws if the text is not the id of an object of this class. */
  idFromString(text: string): ObjectId;
  get(id: ObjectId): { fetch(request: Request): Promise<Response> };
}

const PREFIX = 'session:';
/** The part of its idle time for which a session is stored longer, so that not every use has to be written. */
const SLACK = 4;

/** A session as it is stored; times are milliseconds since 1970. */
interface StoredSession {
  readonly record: string;
  /** When it ends, at the latest. */
  readonly until: number;
}

interface KnownSession {
  record: string;
  until: number;
  /** The `until` that is stored. */
  storedUntil: number;
  /** What is on its way to the storage; never rejects. Changes wait for it, so that memory knows what the storage has taken. */
  writing?: Promise<void> | undefined;
}

/** Keeps sessions until they end, also if the object is removed from memory meanwhile. */
export class DurableSessions implements SessionStore {
  readonly #known = new Map<string, KnownSession>();
  readonly #reads = new Map<string, Promise<void>>();

  /** @param ended called with each session that has ended */
  constructor(
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
    private readonly ended: (id: string) => void,
  ) {}

  async open(id: string, record: string, idleTime: number): Promise<void> {
    const until = this.clock.now() + idleTime;
    const session: KnownSession = { record, until, storedUntil: until + idleTime / SLACK };
    await orAway(this.storage.put(keyOf(id), storedOf(session)));
    this.#known.set(id, session);
    await orAway(this.#expectEnd(session.storedUntil));
  }

  use(id: string, idleTime: number): MaybePromise<string | undefined> {
    return this.#change(id, (session) => {
      if (!session) return undefined;
      const until = this.clock.now() + idleTime;
      // A shorter idle time counts at once; a longer one is written once in a while.
      const isStored = session.storedUntil >= until && session.storedUntil <= until + idleTime / SLACK;
      if (isStored) session.until = until;
      const written = isStored ? undefined : this.#write(id, session, { until, storedUntil: until + idleTime / SLACK });
      return andThen(written, () => session.record);
    });
  }

  replace(id: string, read: string, record: string): MaybePromise<Replacement> {
    return this.#change(id, (session): MaybePromise<Replacement> => {
      if (!session) return 'over';
      if (session.record !== read) return 'changed';
      return andThen(this.#write(id, session, { record }), (): Replacement => 'replaced');
    });
  }

  end(id: string): MaybePromise<boolean> {
    return andThen(this.#read(id), async () => {
      const wasOpen = this.#find(id) !== undefined;
      this.#known.delete(id);
      this.ended(id);
      if (wasOpen) await orAway(this.storage.delete(keyOf(id)));
      return wasOpen;
    });
  }

  /** For the alarm of the object: drops what has ended, and looks again when the next session may have ended. */
  async dropEnded(): Promise<void> {
    const now = this.clock.now();
    const stored = await this.storage.list({ prefix: PREFIX });
    const left: number[] = [];
    for (const [key, session] of stored) {
      const id = key.slice(PREFIX.length);
      // A request may have used it since the list was read.
      const until = this.#known.get(id)?.storedUntil ?? (session as StoredSession).until;
      if (until > now) left.push(until);
      else await this.#drop(id);
    }
    if (left.length === 0) await this.storage.deleteAll();
    else await this.storage.setAlarm(Math.min(...left));
  }

  async #drop(id: string): Promise<void> {
    this.#known.delete(id);
    this.ended(id);
    await this.storage.delete(keyOf(id));
  }

  #find(id: string): KnownSession | undefined {
    const session = this.#known.get(id);
    return session && session.until > this.clock.now() ? session : undefined;
  }

  /** Reads a session that may have been opened before this object was in memory. Requests that come meanwhile wait for the same read. */
  #read(id: string): MaybePromise<void> {
    if (this.#known.has(id)) return undefined;
    const running = this.#reads.get(id);
    if (running) return running;
    const reading = orAway(this.storage.get(keyOf(id)))
      .then((stored) => {
        if (!stored || this.#known.has(id)) return;
        const { record, until } = stored as StoredSession;
        this.#known.set(id, { record, until, storedUntil: until });
      })
      .finally(() => this.#reads.delete(id));
    this.#reads.set(id, reading);
    return reading;
  }

  /** Changes a session once nothing of it is on its way to the storage. */
  #change<T>(id: string, change: (session: KnownSession | undefined) => MaybePromise<T>): MaybePromise<T> {
    return andThen(this.#read(id), () => {
      const session = this.#find(id);
      return session?.writing ? session.writing.then(() => this.#change(id, change)) : change(session);
    });
  }

  /** Stores a change, which memory takes over when the storage has. */
  #write(id: string, session: KnownSession, change: Partial<KnownSession>): Promise<void> {
    const written = orAway(this.storage.put(keyOf(id), storedOf({ ...session, ...change })));
    const settled = (): void => void (session.writing = undefined);
    session.writing = written.then(() => void Object.assign(session, change)).then(settled, settled);
    return session.writing.then(() => written);
  }

  /** An object has one alarm. It looks for itself when the next session ends. */
  async #expectEnd(at: number): Promise<void> {
    const alarm = await this.storage.getAlarm();
    if (alarm === null || alarm > at) await this.storage.setAlarm(at);
  }
}

function storedOf({ record, storedUntil }: KnownSession): StoredSession {
  return { record, until: storedUntil };
}

const keyOf = (id: string): string => PREFIX + id;

function orAway<T>(done: Promise<T>): Promise<T> {
  return done.catch((cause: unknown) => {
    throw new StoreAway(cause);
  });
}
