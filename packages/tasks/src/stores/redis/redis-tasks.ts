/** Tasks in Redis, which several instances of a server share. */
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
import { COUNTS, CREATE, DUE, READ, REMOVE, REPLACE } from './scripts';

/** Options that are left out have their defaults. */
export interface RedisTasksOptions {
  /**
   * The prefix of all keys and of the channel, of letters, digits, `-`, `_` and `:`; `sigil:tasks` if left out. The name of the server follows
   * it, so that servers of different names may share it. The instances of one server have the same prefix and name.
   */
  readonly prefix?: string;
  /** Milliseconds after which a command without an answer fails; 1000 if left out. */
  readonly commandTimeout?: number;
  /** The source of time and timers, for tests; the system clock if left out. */
  readonly clock?: Clock;
}

/** Commands that may be pending at the same time: further ones fail at once. */
const PENDING_COMMANDS = 10_000;

/** Milliseconds between two calls of watchers for lost messages: a connection may be gone without a sign. */
const LOOK = 15_000;

/**
 * A store of tasks in a Redis of version 7.0 or newer, or a compatible server: one server, a cluster, or with Sentinel (ioredis only).
 * Closing the store closes the one connection that it opens for published messages; the client stays open. Commands reject with `StoreAway`
 * when Redis cannot be reached.
 * @param client your client: of node-redis (`@redis/client`, `redis`) or ioredis, connected and with its own settings
 * @throws SigilError for a client or an option that cannot be used
 * @example tasks({ store: redisTasks(await createClient({ url: process.env['REDIS_URL'] }).connect(), { prefix: 'weather' }) })
 */
export function redisTasks(client: RedisClient, options: RedisTasksOptions = {}): TaskStore {
  const { prefix = 'sigil:tasks', commandTimeout = 1000, clock = systemClock } = options;
  checkOptions(prefix, commandTimeout);
  const connection = connectionOf(client, { commandTimeout, clock });
  const commands = new Commands(connection, { commandTimeout, pendingCommands: PENDING_COMMANDS, clock });
  return new RedisTaskStore(commands, (server) => {
    const name = encodeURIComponent(Buffer.from(server).toString());
    // The part in braces decides the slot in a cluster.
    const slot = `${prefix}:{${prefix}:${name}}`;
    const wakeUps = new WakeUps(connection, { commandTimeout, interval: LOOK, clock });
    return { slot, changes: new Changes(wakeUps, `${slot}:changes`, clock) };
  });
}

/** The keys of one server, and the changes that its processes publish. */
interface ServerTasks {
  /** The beginning of all keys. */
  readonly slot: string;
  readonly changes: Changes;
}

class RedisTaskStore implements TaskStore {
  readonly isDurable = true;
  #tasks: ServerTasks | undefined;

  constructor(
    private readonly commands: Commands,
    private readonly tasksOf: (server: string) => ServerTasks,
  ) {}

  open(server: string): void {
    this.#tasks = this.tasksOf(server);
  }

  close(): void {
    this.#tasks?.changes.close();
    this.#tasks = undefined;
  }

  async create(task: StoredTask, room: TaskRoom): Promise<keyof TaskRoom | undefined> {
    const limits = LIMITS.map((limit) => whole(room[limit]));
    const answer = await this.#change(task, CREATE, [...wordsOf(task), ...limits]);
    return LIMITS.find((limit) => limit === answer);
  }

  async read(id: string): Promise<StoredTask | undefined> {
    const reply = await this.#evaluate(READ, [this.#task(id)]);
    const [version, holder, dueAt, isEnded, text] = readTexts(reply);
    if (holder === undefined || text === undefined) return undefined;
    return { id, version: Number(version), holder, dueAt: Number(dueAt), isEnded: isEnded === '1', text };
  }

  async replace(task: StoredTask, { bytesPerHolder, bytes }: TextRoom = UNLIMITED): Promise<boolean | keyof TextRoom> {
    const answer = await this.#change(task, REPLACE, [...wordsOf(task), whole(bytesPerHolder), whole(bytes)]);
    return answer === 'bytesPerHolder' || answer === 'bytes' ? answer : answer === 'done';
  }

  async remove(id: string, version: number): Promise<boolean> {
    return (await this.#change({ id, version }, REMOVE, [`${version}`])) === 'done';
  }

  async due(now: number, limit: number): Promise<readonly string[]> {
    return readTexts(await this.#evaluate(DUE, [this.#times], whole(now), whole(limit))).map((id) => id ?? '');
  }

  async count(holder = '*'): Promise<TaskCount> {
    const [unended, bytes] = readTexts(await this.#evaluate(COUNTS, [this.#counts], holder));
    return { unended: Number(unended ?? 0), bytes: Number(bytes ?? 0) };
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
    const { slot, changes } = this.#opened;
    const change: PublishedChange = changes.next(id, version);
    const keys = [this.#task(id), this.#times, this.#counts] as const;
    const { publishing } = this.commands;
    const reply = await this.#evaluate(script, [...keys], id, `${slot}:changes`, change.message, ...words, publishing);
    const answer = readText(reply);
    if (answer === 'done') changes.done(change, id, version);
    return answer;
  }

  /** In the order of the calls. */
  #evaluate(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    return this.commands.evaluateInOrder(script, keys, ...words);
  }

  get #opened(): ServerTasks {
    if (!this.#tasks) throw new StoreAway('The store is not open.');
    return this.#tasks;
  }

  #task(id: string): string {
    return `${this.#opened.slot}:task:${id}`;
  }

  get #times(): string {
    return `${this.#opened.slot}:due`;
  }

  get #counts(): string {
    return `${this.#opened.slot}:counts`;
  }
}

const UNLIMITED: TextRoom = { bytesPerHolder: Infinity, bytes: Infinity };

function wordsOf({ version, holder, dueAt, isEnded, text }: StoredTask): string[] {
  return [`${version}`, holder, `${dueAt}`, isEnded ? '1' : '0', text, `${bytesOf(text)}`];
}

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
