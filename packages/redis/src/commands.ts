/** Sends commands and scripts to Redis, with a time limit, a limit for pending commands, and one error for all failures; reads the answers. */
import { createHash } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';
import { outsideRequests } from '@sigil-mcp/core/internal';
import { StoreAway } from '@sigil-mcp/core/stores';
import type { Publishing, RedisConnection } from './clients/redis-connection';

/** The errors of a replica for writes, and of a replica without a master for reads. */
const DEMOTED = /\b(?:READONLY|MASTERDOWN)\b/;

/** The error of a server that is still loading its data; a server that loads for long may not be the right one any more. */
const LOADING = /^LOADING\b/;

/** Milliseconds that a server may take to load. */
const LONGEST_LOADING = 10_000;

/** Milliseconds between two connections: the name may resolve to the old master for a while. */
const PAUSE = 1000;

/**
 * Examines the errors of commands, and renews the connection if necessary.
 *
 * Detects a connection to the wrong server: its master was demoted while the connection stayed open, as behind a virtual address or a
 * host name that now resolves to another server. Such a server refuses all writes; a new connection finds the new master.
 */
class Demotion {
  #renewedAt = Number.NEGATIVE_INFINITY;
  #loadingSince: number | undefined;
  readonly #outside = outsideRequests();

  constructor(
    private readonly connection: RedisConnection,
    private readonly clock: Clock,
  ) {}

  /** A command succeeded. */
  over(): void {
    this.#loadingSince = undefined;
  }

  /** A command has failed. */
  look(error: unknown): void {
    const message = error instanceof Error ? error.message : '';
    if (!DEMOTED.test(message) && !this.#isLoadingForLong(message)) return;
    const now = this.clock.elapsed();
    if (now - this.#renewedAt < PAUSE) return;
    this.#renewedAt = now;
    this.#loadingSince = undefined;
    // The new connection serves all requests.
    this.#outside(() => this.connection.renew());
  }

  #isLoadingForLong(message: string): boolean {
    if (!LOADING.test(message)) return false;
    const now = this.clock.elapsed();
    this.#loadingSince ??= now;
    return now - this.#loadingSince >= LONGEST_LOADING;
  }
}

/** How long commands may take, and how many may be pending. */
export interface CommandLimits {
  /** Milliseconds. */
  readonly commandTimeout: number;
  readonly pendingCommands: number;
  readonly clock: Clock;
}

/** Sends commands; each rejects with `StoreAway`, never with another error. */
export class Commands {
  /** Commands that the client has not settled, also those that have timed out: the client still holds them. */
  #pending = 0;
  /** A client may be passed while it connects for the first time. After that, commands fail at once while it has no connection. */
  #wasReady = false;
  readonly #demotion: Demotion;

  constructor(
    private readonly connection: RedisConnection,
    private readonly limits: CommandLimits,
  ) {
    this.#demotion = new Demotion(connection, limits.clock);
  }

  /** How messages are published on a channel with a slot in its name. */
  get publishing(): Publishing {
    return this.connection.publishing;
  }

  /**
   * Sends a command.
   * @param key the first of its keys
   */
  run(key: string, ...words: readonly string[]): Promise<unknown> {
    return this.#send(key, words, (error) => away(error));
  }

  /** Runs a script. Its text is sent only if Redis does not know it, as after a restart. All keys are in one slot. */
  async evaluate(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    const rest = [`${keys.length}`, ...keys, ...words];
    try {
      return await this.#send(keys[0], ['EVALSHA', script.digest, ...rest], (error) => error);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw away(error);
    }
    return this.run(keys[0], 'EVAL', script.text, ...rest);
  }

  /**
   * Runs a script with its text. Scripts that do not wait for each other then run in their order: with a digest, one that has to be
   * sent again would be overtaken.
   */
  evaluateInOrder(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    return this.run(keys[0], 'EVAL', script.text, `${keys.length}`, ...keys, ...words);
  }

  /** One promise and one timer for each command, and no `Deadline`: every call of a session sends one. */
  #send(key: string, words: readonly string[], failure: (error: unknown) => unknown): Promise<unknown> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(new StoreAway(refusal));
    const { commandTimeout, clock } = this.limits;
    return new Promise((resolve, reject) => {
      // After the process was paused, its timers are due and the answers are waiting: those are read first.
      const timer = clock.after(commandTimeout, () => setImmediate(() => reject(late(commandTimeout))));
      const settle = (): void => {
        timer.close();
        this.#pending--;
      };
      this.#pending++;
      this.connection.command(key, words).then(
        (reply) => {
          settle();
          this.#wasReady = true;
          this.#demotion.over();
          resolve(reply);
        },
        (error: unknown) => {
          settle();
          this.#demotion.look(error);
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The error of the client is examined.
          reject(failure(error));
        },
      );
    });
  }

  /** The reason why nothing can be sent; undefined if commands can be sent. */
  #refusal(): string | undefined {
    this.#wasReady ||= this.connection.isReady;
    if (this.#wasReady && !this.connection.isReady) return 'There is no connection.';
    const { pendingCommands } = this.limits;
    return this.#pending >= pendingCommands ? `${pendingCommands} commands wait (pendingCommands).` : undefined;
  }
}

/** The error for what took longer than a command may. */
export function late(milliseconds: number): StoreAway {
  return new StoreAway(`There was no answer in ${milliseconds} ms (commandTimeout).`);
}

function away(error: unknown): StoreAway {
  return error instanceof StoreAway ? error : new StoreAway(error);
}

// Reads answers of Redis.

/** An entry of a stream: its id, and its fields and values in turn. */
export interface StreamEntry {
  readonly id: string;
  readonly words: readonly string[];
}

/** Reads a text, also from a client that returns bytes; undefined for any other value, such as null. */
export function readText(reply: unknown): string | undefined {
  return typeof reply === 'string' || Buffer.isBuffer(reply) ? reply.toString() : undefined;
}

/** Reads the answer of XRANGE. Its format is trusted, because it comes from Redis. */
export function readStreamEntries(reply: unknown): readonly StreamEntry[] {
  const entries = reply as readonly (readonly [unknown, readonly unknown[]])[];
  return entries.map(([id, words]) => ({ id: readText(id) ?? '', words: words.map((word) => readText(word) ?? '') }));
}

// Scripts that Redis runs in one step.

/** A Lua script, which Redis knows by its digest once it has received it. */
export class Script {
  readonly digest: string;

  constructor(readonly text: string) {
    this.digest = createHash('sha1').update(text).digest('hex');
  }
}
