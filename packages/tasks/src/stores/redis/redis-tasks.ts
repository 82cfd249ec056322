/** Tasks in Redis, which several instances of a server share. */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';
import { LONGEST_TIMER, nameValue, systemClock } from '@sigil-mcp/core/adapter';
import { StoreAway } from '@sigil-mcp/core/stores';
import { Commands, connectionOf, readText, WakeUps, type RedisClient, type Script } from '@sigil-mcp/redis/adapter';
import { taskStoreError } from '../errors';
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
import { COUNTS, CREATE, DUE, IDS, NOW, READ, RECOUNT, REMOVE, REPLACE } from './scripts';
import { NOTHING, Sums } from './sums';

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

/** Commands that may be pending at the same time: further ones fail at once. */
const PENDING_COMMANDS = 10_000;

/** Slots of a cluster to which the tasks of a server are spread. */
const SLOTS = 16;
/** The digits of base64url. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Milliseconds between two calls of watchers for lost messages: a connection may be gone without a sign. */
const LOOK = 15_000;

/**
 * A store of tasks in a Redis of version 7.0 or newer, or a compatible server: one server, a cluster, or with Sentinel (ioredis only). In a
 * cluster, tasks are spread over sixteen slots by their clients; the limits of all clients together may be exceeded there by what is created at
 * the same moment.
 * Closing the store closes the one connection that it opens for published messages; the client stays open. Commands reject with `StoreAway`
 * when Redis cannot be reached.
 * @param client your client: of node-redis (`@redis/client`, `redis`) or ioredis, connected and with its own settings
 * @throws SigilError for a client or an option that cannot be used
 * @example tasks({ store: redisTasks(client, { prefix: 'weather' }) })
 */
export function redisTasks(client: RedisClient, options: RedisTasksOptions = {}): TaskStore {
  const { prefix = 'sigil:tasks', commandTimeout = 1000, clock = systemClock } = options;
  checkOptions(prefix, commandTimeout);
  const connection = connectionOf(client, { commandTimeout, clock });
  const commands = new Commands(connection, { commandTimeout, pendingCommands: PENDING_COMMANDS, clock });
  return new RedisTaskStore({
    commands,
    given: options.clock,
    open(server) {
      const name = encodeURIComponent(Buffer.from(server).toString());
      const slots = connection.isCluster ? Array.from({ length: SLOTS }, (_, slot) => `:${slot}`) : [''];
      // The part in braces decides the slot in a cluster.
      const prefixes = slots.map((slot) => `${prefix}:{${prefix}:${name}${slot}}`);
      const wakeUps = new WakeUps(connection, { commandTimeout, interval: LOOK, clock });
      const changes = new Changes(wakeUps, prefixes.map(channelOf), clock);
      return { slots: prefixes, changes, sums: new Sums(clock) };
    },
  });
}

/** The channel of a slot. */
function channelOf(slot: string): string {
  return `${slot}:changes`;
}

/** The keys of one server, and the changes that its processes publish. */
interface ServerTasks {
  /** The beginnings of the keys of each slot. */
  readonly slots: readonly string[];
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

  /** All tasks of a holder are in one slot, where they are counted; the id says in which. */
  newId(holder: string): string {
    const bytes = randomBytes(16);
    const { slots } = this.#opened;
    const [digit = 0] = createHash('sha256').update(holder).digest();
    if (slots.length > 1) bytes[0] = ((digit % SLOTS) << 4) | ((bytes[0] ?? 0) & 15);
    return bytes.toString('base64url');
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
    const slot = this.#slotOf(id);
    const reply = await this.#inTurn(() => this.#evaluate(READ, [taskKey(slot, id), timesKey(slot)], id));
    const [version, holder, dueAt, isEnded, text] = readTexts(reply);
    if (version === 'expired') await this.#recount(slot);
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

  async due(now: number, limit: number, skip = 0): Promise<readonly string[]> {
    const { slots } = this.#opened;
    const [from, most] = slots.length === 1 ? [skip, limit] : [0, skip + limit];
    const words = [whole(now), whole(from), whole(most)];
    const replies = await this.#inTurn(() =>
      Promise.all(slots.map((slot) => this.#evaluate(DUE, [timesKey(slot)], ...words))),
    );
    if (slots.length === 1) return idsIn(replies[0]).map(([id]) => id);
    const all = replies.flatMap((reply) => idsIn(reply)).sort(([, one], [, other]) => one - other);
    return all.slice(skip, skip + limit).map(([id]) => id);
  }

  async now(): Promise<number> {
    const { given } = this.init;
    return given ? given.now() : Number(readText(await this.#evaluate(NOW, [timesKey(this.#slotOf(''))])));
  }

  async count(holder?: string): Promise<TaskCount> {
    const { slots } = this.#opened;
    const counts = await this.#inTurn(() => Promise.all(slots.map((slot) => this.#countIn(slot, holder ?? '*'))));
    return counts.reduce((sum, { unended, bytes }) => ({ unended: sum.unended + unended, bytes: sum.bytes + bytes }));
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
    const { changes } = this.#opened;
    const slot = this.#slotOf(id);
    const change: PublishedChange = changes.next(id, version);
    const keys = [taskKey(slot, id), timesKey(slot), countsKey(slot)] as const;
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
    if (slots.length === 1 || room === UNLIMITED) return this.#inTurn(() => send(NOTHING));
    const own = this.#slotOf(id);
    const rest = slots.filter((slot) => slot !== own);
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

  async #countIn(slot: string, holder: string): Promise<TaskCount> {
    const [unended, bytes] = readTexts(await this.#evaluate(COUNTS, [countsKey(slot)], holder));
    return { unended: Number(unended ?? 0), bytes: Number(bytes ?? 0) };
  }

  /** Tasks have expired, because no server has looked for long. */
  async #recount(slot: string): Promise<void> {
    for (;;) {
      const ids = readTexts(await this.#evaluate(IDS, [timesKey(slot)])).map((id) => id ?? '');
      const keys = [timesKey(slot), countsKey(slot), ...ids.map((id) => taskKey(slot, id))] as const;
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

  /** The first digit of an id has six bits, of which four are the number of the slot. */
  #slotOf(id: string): string {
    const { slots } = this.#opened;
    const digit = DIGITS.indexOf(id.charAt(0));
    return slots[slots.length === 1 ? 0 : Math.max(digit, 0) >> 2] ?? '';
  }
}

function taskKey(slot: string, id: string): string {
  return `${slot}:task:${id}`;
}

function timesKey(slot: string): string {
  return `${slot}:due`;
}

function countsKey(slot: string): string {
  return `${slot}:counts`;
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

function checkOptions(prefix: unknown, commandTimeout: unknown): void {
  if (typeof prefix !== 'string' || !/^[\w:-]{1,100}$/.test(prefix))
    throw optionError('prefix', prefix, 'at most 100 letters, digits, `-`, `_` and `:`');
  const isNumber = typeof commandTimeout === 'number' && Number.isSafeInteger(commandTimeout);
  if (!isNumber || commandTimeout < 1 || commandTimeout > LONGEST_TIMER)
    throw optionError('commandTimeout', commandTimeout, `a whole number from 1 to ${LONGEST_TIMER}`);
}

function optionError(option: string, value: unknown, wanted: string): Error {
  return taskStoreError('SIGIL_TASKS_REDIS_OPTION', { option, value: nameValue(value), wanted });
}
