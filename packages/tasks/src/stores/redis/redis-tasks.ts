/** Tasks in Redis, which several instances of a server share. */
import type { Clock } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import { LONGEST_TIMER, OPTION_RULES, requireOptions, wholeNumber, type OptionRule } from '@sigil-mcp/core/internal';
import { StoreAway } from '@sigil-mcp/core/stores';
import { Commands, connectionOf, readText, WakeUps, type RedisClient, type Script } from '@sigil-mcp/redis/adapter';
import {
  bytesOf,
  LIMITS,
  type StoredTask,
  type TaskChanged,
  type TaskCount,
  type TaskRoom,
  type TaskStore,
  type TextRoom,
} from '../task-store';
import { Changes, type PublishedChange } from './changes';
import { COUNTS, CREATE, DUE, ENDED, IDS, NOW, READ, RECOUNT, REMOVE, REPLACE } from './scripts';
import { channelOf, countsKey, endedKey, NOTHING, plus, Slots, Sums, taskKey, timesKey, type SlotCount } from './slots';

// The options of the store of tasks in Redis.

/** Options that are left out have their defaults. */
export interface RedisTasksOptions {
  /**
   * The prefix of all keys and of the channel, of letters, digits, `-`, `_` and `:`; `sigil:tasks` if left out. The name of the server follows
   * it, so that servers of different names may share it. The instances of one server have the same prefix and name.
   */
  readonly prefix?: string;
  /** Milliseconds after which a command without an answer fails; 1000 if left out. */
  readonly commandTimeout?: number;
  /** The source of time and timers, for tests; the time of Redis, and timers of the system, if left out. */
  readonly clock?: Clock;
}

const OPTIONS: Readonly<Record<keyof RedisTasksOptions, OptionRule>> = {
  prefix: {
    wanted: 'at most 100 letters, digits, `-`, `_` and `:`',
    fits: (value) => typeof value === 'string' && /^[\w:-]{1,100}$/.test(value),
  },
  commandTimeout: wholeNumber(1, LONGEST_TIMER),
  clock: OPTION_RULES.object,
};

/** @throws DefinitionError for options that do not exist or are of the wrong kind */
function checkRedisTasksOptions(options: RedisTasksOptions): void {
  requireOptions('redisTasks', options, OPTIONS);
}

/** Commands that may be pending at the same time: further ones fail at once. */
const PENDING_COMMANDS = 10_000;

/** How many tasks that have ended are looked at, and dropped, at once. */
const PART = 100;

/** Milliseconds between two calls of watchers for lost messages: a connection may be gone without a sign. */
const LOOK = 15_000;

/**
 * A store of tasks in a Redis of version 7.0 or newer, or a compatible server: one server, a cluster, or with Sentinel (ioredis only). In a
 * cluster, tasks are spread over sixteen slots by their clients; the limits of all clients together may be exceeded there by what is created at
 * the same moment.
 * Closing the store closes the one connection that it opens for published messages; the client stays open. Commands reject with `StoreAway`
 * when Redis cannot be reached.
 * @param client your client: of node-redis (`@redis/client`, `redis`) or ioredis, connected and with its own settings
 * @throws SigilError for a client, and DefinitionError for options, that cannot be used
 * @example tasks({ store: redisTasks(client, { prefix: 'weather' }) })
 */
export function redisTasks(client: RedisClient, options: RedisTasksOptions = {}): TaskStore {
  checkRedisTasksOptions(options);
  const { prefix = 'sigil:tasks', commandTimeout = 1000, clock = systemClock } = options;
  const connection = connectionOf(client, { commandTimeout, clock });
  const commands = new Commands(connection, { commandTimeout, pendingCommands: PENDING_COMMANDS, clock });
  return new RedisTaskStore({
    commands,
    given: options.clock,
    open(server) {
      const slots = new Slots(prefix, server, connection.isCluster);
      const wakeUps = new WakeUps(connection, { commandTimeout, interval: LOOK, clock });
      const changes = new Changes(wakeUps, slots.all.map(channelOf), clock);
      return { slots, changes, sums: new Sums(clock) };
    },
  });
}

/** Where the tasks of one server are, and the changes that its processes publish. */
interface ServerTasks {
  readonly slots: Slots;
  readonly changes: Changes;
  readonly sums: Sums;
}

interface RedisTaskStoreInit {
  readonly commands: Commands;
  /** The clock of a test; undefined for the time of Redis. */
  readonly given: Clock | undefined;
  readonly open: (server: string) => ServerTasks;
}

class RedisTaskStore implements TaskStore {
  readonly isDurable = true;
  #tasks: ServerTasks | undefined;
  /** Resolves when all commands so far have been sent; undefined where none ever waits, with one slot. */
  #turn: Promise<void> | undefined;

  constructor(private readonly init: RedisTaskStoreInit) {}

  open(server: string): void {
    this.#tasks = this.init.open(server);
  }

  close(): void {
    this.#tasks?.changes.close();
    this.#tasks = undefined;
  }

  newId(holder: string): string {
    return this.#opened.slots.newId(holder);
  }

  async create(task: StoredTask, room: TaskRoom): Promise<keyof TaskRoom | undefined> {
    const { tasks, tasksPerHolder, bytesPerHolder, bytes } = room;
    const answer = await this.#within(room, task, (others) => {
      const limits = [tasks - others.unended, tasksPerHolder, bytesPerHolder, bytes - others.bytes].map(whole);
      return this.#change(task, CREATE, [...this.#wordsOf(task), ...limits]);
    });
    return LIMITS.find((limit) => limit === answer);
  }

  async read(id: string): Promise<StoredTask | undefined> {
    const fields = ['version', 'holder', 'due', 'ended', 'text'];
    const [version, holder, dueAt, isEnded, text] = await this.#fieldsOf(id, { set: timesKey, name: id, fields });
    if (holder === undefined || text === undefined) return undefined;
    return { id, version: Number(version), holder, dueAt: Number(dueAt), isEnded: isEnded === '1', text };
  }

  async replace(task: StoredTask, room: TextRoom = UNLIMITED): Promise<boolean | keyof TextRoom> {
    const { bytesPerHolder, bytes } = room;
    const answer = await this.#within(room, task, (others) => {
      const limits = [bytesPerHolder, bytes - others.bytes].map(whole);
      return this.#change(task, REPLACE, [...this.#wordsOf(task), ...limits]);
    });
    return answer === 'bytesPerHolder' || answer === 'bytes' ? answer : answer === 'done';
  }

  async remove(id: string, version: number): Promise<boolean> {
    return (await this.#inTurn(() => this.#change({ id, version }, REMOVE, [`${version}`]))) === 'done';
  }

  async dropEnded(most: number, holder = '*'): Promise<boolean> {
    const { slots, sums } = this.#opened;
    for (;;) {
      const { bytes, endedBytes } = await this.#count(holder);
      if (bytes - endedBytes > most) return false;
      sums.forget();
      if (bytes <= most) return true;
      const names = await Promise.all(
        slots.all.map((slot) => this.#evaluate(ENDED, [endedKey(slot)], holder, `${PART}`)),
      );
      // After the holder, each has its time, which has a fixed length, and its id.
      const oldest = names.flatMap((each) => readTexts(each).map(String)).sort();
      if (!(await this.#drop(oldest.slice(0, PART), bytes - most))) return false;
    }
  }

  async due(now: number, limit: number, skip = 0): Promise<readonly string[]> {
    const { slots } = this.#opened;
    const [from, most] = slots.all.length === 1 ? [skip, limit] : [0, skip + limit];
    const words = [whole(now), whole(from), whole(most)];
    const replies = await this.#inTurn(() =>
      Promise.all(slots.all.map((slot) => this.#evaluate(DUE, [timesKey(slot)], ...words))),
    );
    if (slots.all.length === 1) return idsIn(replies[0]).map(([id]) => id);
    const all = replies.flatMap((reply) => idsIn(reply)).sort(([, one], [, other]) => one - other);
    return all.slice(skip, skip + limit).map(([id]) => id);
  }

  async now(): Promise<number> {
    const { given } = this.init;
    return given ? given.now() : Number(readText(await this.#evaluate(NOW, [timesKey(this.#opened.slots.of(''))])));
  }

  async count(holder = '*'): Promise<TaskCount> {
    const { unended, bytes } = await this.#count(holder);
    return { unended, bytes };
  }

  watch(changed: TaskChanged): () => void {
    return this.#opened.changes.watch(changed);
  }

  /** Sends a change, and reports it if the answer says that it was done. */
  async #change(
    { id, version }: Pick<StoredTask, 'id' | 'version'>,
    script: Script,
    words: readonly string[],
  ): Promise<string | undefined> {
    const { changes, slots } = this.#opened;
    const slot = slots.of(id);
    const change: PublishedChange = changes.next(id, version);
    const keys = [taskKey(slot, id), timesKey(slot), countsKey(slot), endedKey(slot)] as const;
    const { publishing } = this.init.commands;
    const reply = await this.#evaluate(script, [...keys], id, channelOf(slot), change.message, ...words, publishing);
    const answer = readText(reply);
    if (answer === 'done') changes.done(change, id, version);
    return answer;
  }

  /**
   * Sends a command that has limits, when it is known what the other slots have.
   * @param send sends it at once
   */
  #within<T>(room: Partial<TaskRoom>, { id }: StoredTask, send: (others: TaskCount) => Promise<T>): Promise<T> {
    const { slots, sums } = this.#opened;
    if (slots.all.length === 1 || room === UNLIMITED) return this.#inTurn(() => send(NOTHING));
    const own = slots.of(id);
    const rest = slots.all.filter((slot) => slot !== own);
    const others = this.#inTurn(() => sums.of(rest, room, (slot) => this.#countIn(slot, '*')));
    const sent = others.then(send);
    // Later commands are sent after this one.
    this.#turn = others.then(
      () => undefined,
      () => undefined,
    );
    return sent;
  }

  /** Sends a command after those that wait for what other slots have. */
  #inTurn<T>(send: () => Promise<T>): Promise<T> {
    return this.#turn ? this.#turn.then(send) : send();
  }

  /**
   * Some fields of a task; none if there is no such task.
   * @param set the key of a set of its slot in which it has a name
   */
  async #fieldsOf(
    id: string,
    { set, name, fields }: { readonly set: (slot: string) => string; readonly name: string; readonly fields: string[] },
  ): Promise<readonly (string | undefined)[]> {
    const slot = this.#opened.slots.of(id);
    const found = await this.#inTurn(() => this.#evaluate(READ, [taskKey(slot, id), set(slot)], name, ...fields));
    const texts = readTexts(found);
    if (texts[0] !== 'expired') return texts;
    await this.#recount(slot);
    return [];
  }

  /** Drops as many of some tasks that have ended as have so many bytes. @returns false if none of them has ended */
  async #drop(names: readonly string[], bytes: number): Promise<boolean> {
    const fields = ['version', 'ended', 'length'];
    const ids = names.map((name) => name.slice(name.lastIndexOf(' ') + 1));
    const found = await Promise.all(
      ids.map((id, index) => this.#fieldsOf(id, { set: endedKey, name: names[index] ?? '', fields })),
    );
    // The bytes were those of a task that is gone, too.
    if (found.some(([version]) => version === undefined)) return true;
    const removed: Promise<boolean>[] = [];
    let missing = bytes;
    for (const [index, [version, isEnded, length]] of found.entries()) {
      if (missing <= 0 || isEnded !== '1') continue;
      removed.push(this.remove(ids[index] ?? '', Number(version)));
      missing -= Number(length);
    }
    await Promise.all(removed);
    return removed.length > 0;
  }

  async #count(holder: string): Promise<SlotCount> {
    const { slots } = this.#opened;
    const counts = await this.#inTurn(() => Promise.all(slots.all.map((slot) => this.#countIn(slot, holder))));
    return counts.reduce(plus);
  }

  async #countIn(slot: string, holder: string): Promise<SlotCount> {
    const reply = await this.#evaluate(COUNTS, [countsKey(slot)], holder);
    const [unended = 0, bytes = 0, endedBytes = 0] = readTexts(reply).map((each) => Number(each ?? 0));
    return { unended, bytes, endedBytes };
  }

  /** Tasks have expired, because no server has looked for long. */
  async #recount(slot: string): Promise<void> {
    for (;;) {
      const ids = readTexts(await this.#evaluate(IDS, [timesKey(slot)])).map((id) => id ?? '');
      const keys = [timesKey(slot), countsKey(slot), endedKey(slot), ...ids.map((id) => taskKey(slot, id))] as const;
      if (readText(await this.#evaluate(RECOUNT, [...keys], ...ids)) === 'done') return;
    }
  }

  #wordsOf({ version, holder, dueAt, isEnded, text, keptUntil }: StoredTask): string[] {
    const kept = keptUntil === undefined || keptUntil >= Number.MAX_SAFE_INTEGER ? '' : `${keptUntil}`;
    const given = this.init.given?.now().toFixed(0) ?? '';
    return [`${version}`, holder, `${dueAt}`, isEnded ? '1' : '0', text, `${bytesOf(text)}`, kept, given];
  }

  /** In the order of the calls. */
  #evaluate(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    return this.init.commands.evaluateInOrder(script, keys, ...words);
  }

  get #opened(): ServerTasks {
    if (!this.#tasks) throw new StoreAway('The store is not open.');
    return this.#tasks;
  }
}

/** Ids with their times. */
function idsIn(reply: unknown): readonly (readonly [id: string, dueAt: number])[] {
  const texts = readTexts(reply);
  return texts.flatMap((id, index) => (index % 2 === 0 ? [[id ?? '', Number(texts[index + 1])] as const] : []));
}

const UNLIMITED: TextRoom = { bytesPerHolder: Infinity, bytes: Infinity };

/** A script reads no infinite numbers. */
function whole(number: number): string {
  return `${Math.min(number, Number.MAX_SAFE_INTEGER)}`;
}

function readTexts(reply: unknown): readonly (string | undefined)[] {
  return (reply as readonly unknown[]).map((each) => readText(each));
}
