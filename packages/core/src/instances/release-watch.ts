/**
 * Notices that a new version of the server lists other entries than the version before. During a rolling update both versions answer, and a
 * client that lists again too early may get the old list. So the change is announced when all instances list the same.
 */
import { createHash } from 'node:crypto';
import { isObject, parseJson, unawaited, type Clock, type MaybePromise, type Timer } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { EntryKind } from '../context/entry-facts';
import { LIST_CHANGES, type ListChange } from '../kinds/entry-kind-rules';
import type { Entry } from '../registry/entry';
import type { Registry } from '../registry/registry';

/** Milliseconds for which all instances have listed the same before a change is announced: clients of stopped instances reconnect meanwhile. */
const SETTLING = 5000;
/** Milliseconds between two checks whether the instances that list something else are still alive. */
const INTERVAL = 2000;

/** The kind of the messages in which instances tell each other what they list. */
const KIND = 'lists';
/** The name of the shared text: the digests of the lists that clients were last notified of. */
const SHARED = 'lists';
/** In place of a digest, if instances list different entries at the moment. */
const MIXED = 'mixed';

/** What a watch needs of its instance. */
interface ReleaseWatchInit {
  readonly id: string;
  /** What this instance lists when it starts. */
  readonly digests: ListDigests;
  readonly clock: Clock;
  /** Announces a changed list to the clients of all instances. */
  readonly announce: (list: ListChange) => void;
  readonly broadcast: (kind: string, body: object) => MaybePromise<void>;
  readonly send: (instance: string, kind: string, body: object) => MaybePromise<boolean>;
  readonly isAlive: (instance: string) => MaybePromise<boolean>;
  /** Replaces a text that all instances share, and returns the text before. */
  readonly swap: (name: string, text: string) => MaybePromise<string | undefined>;
}

/** Watches from `start` to `stop`. Failures of the store are ignored: the next check tries again. */
export class ReleaseWatch {
  /** The instances that list something else. */
  readonly #others = new Map<string, ListDigests>();
  #settling: Timer | undefined;
  #checking: Timer | undefined;
  #isStopped = false;
  /** The exchange with the store that is under way: an answer that comes late is not overtaken by the next exchange. */
  #exchange: Promise<unknown> = Promise.resolve();

  constructor(private readonly init: ReleaseWatchInit) {}

  /** Tells all other instances what this one lists. Calling it again repeats that, after messages were lost. */
  start(): void {
    const { id, digests, broadcast } = this.init;
    unawaited(broadcast(KIND, { from: id, digests }));
    unawaited(this.#begin());
    this.#settle();
  }

  /** The first instance of all shares its digests at once: the next version may start before anything has settled. */
  #begin(): Promise<void> {
    return this.#inTurn(async () => {
      const before = await this.#share(this.init.digests);
      const differing = before ? differingLists(before, this.init.digests) : [];
      if (differing.length > 0) await this.#share(this.#mixed(differing));
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#settling?.close();
    this.#checking?.close();
  }

  /** The kind of messages that `hear` handles. */
  get kind(): string {
    return KIND;
  }

  /** Another instance tells what it lists. Only an instance that lists something else answers. */
  hear({ from, digests: said, isAnswer }: JsonObject): void {
    const theirs = readListDigests(said);
    const { id, digests, send } = this.init;
    if (this.#isStopped || typeof from !== 'string' || from === id || !theirs) return;
    if (differingLists(digests, theirs).length === 0) return;
    this.#others.set(from, theirs);
    this.#settling?.close();
    this.#checking ??= this.init.clock.every(INTERVAL, () => unawaited(this.#check())).unref();
    if (isAnswer !== true) unawaited(send(from, KIND, { from: id, digests, isAnswer: true }));
    const differing = [...this.#others.values()].flatMap((each) => differingLists(digests, each));
    unawaited(this.#inTurn(() => this.#share(this.#mixed(differing))));
  }

  /** Clients have to be notified of these lists, whether the old or the new version remains. */
  #mixed(lists: readonly ListChange[]): ListDigests {
    const digests = LISTS.map((list) => [list, lists.includes(list) ? MIXED : this.init.digests[list]]);
    return Object.fromEntries(digests) as ListDigests;
  }

  async #check(): Promise<void> {
    for (const other of [...this.#others.keys()]) if (!(await this.init.isAlive(other))) this.#others.delete(other);
    if (this.#others.size > 0 || this.#isStopped) return;
    this.#checking?.close();
    this.#checking = undefined;
    this.#settle();
  }

  #settle(): void {
    this.#settling?.close();
    if (this.#isStopped || this.#others.size > 0) return;
    this.#settling = this.init.clock.after(SETTLING, () => unawaited(this.#tell(), () => this.#settle())).unref();
  }

  /** The first instance that shares its digests finds those before, and announces what has changed; the others find their own. */
  #tell(): Promise<void> {
    return this.#inTurn(async () => {
      const before = await this.#share(this.init.digests);
      for (const list of before ? differingLists(before, this.init.digests) : []) this.init.announce(list);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#exchange.then(work);
    this.#exchange = done.catch(() => undefined);
    return done;
  }

  async #share(digests: ListDigests): Promise<ListDigests | undefined> {
    const before = await this.init.swap(SHARED, JSON.stringify(digests));
    return before === undefined ? undefined : readListDigests(parseJson(before));
  }
}

// What the lists of a server contain, as short texts that can be compared with those of another version of the server.

/** A digest for each list, by the notification of its changes. */
type ListDigests = Readonly<Record<ListChange, string>>;

/** All lists. */
const LISTS: readonly ListChange[] = [...new Set(Object.values(LIST_CHANGES))];

const KINDS = Object.keys(LIST_CHANGES) as EntryKind[];

/** Whether a value is the notification of a changed list. */
export function isListChange(value: unknown): value is ListChange {
  return LISTS.some((list) => list === value);
}

/** Entries may be added in another order by each process, so the order does not count. */
export function listDigestsOf(registry: Registry): ListDigests {
  const entriesOf = (list: ListChange): Entry[] =>
    KINDS.flatMap((kind) => (LIST_CHANGES[kind] === list ? [...registry.entries(kind)] : []));
  return Object.fromEntries(LISTS.map((list) => [list, digestOf(entriesOf(list))])) as ListDigests;
}

/** Reads digests from another instance; undefined for a format that this version does not know. */
function readListDigests(value: unknown): ListDigests | undefined {
  return isObject(value) && LISTS.every((list) => typeof value[list] === 'string') ? (value as ListDigests) : undefined;
}

/** The lists that differ. */
function differingLists(one: ListDigests, other: ListDigests): ListChange[] {
  return LISTS.filter((list) => one[list] !== other[list]);
}

function digestOf(entries: readonly Entry[]): string {
  const texts = entries.map(textOf);
  return createHash('sha256').update(texts.sort().join('\n')).digest('base64url');
}

/** An entry whose metadata cannot be written as JSON counts by its name: this is no reason not to start. */
function textOf({ kind, key, definition, policy }: Entry): string {
  try {
    return JSON.stringify([kind, key, definition, policy.scopes, policy.isPublic]);
  } catch {
    return JSON.stringify([kind, key]);
  }
}
