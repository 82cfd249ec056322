/** The way to Redis: every command has a time limit, so many of them wait, and there is one error for all that goes wrong. */
import { StoreAway } from '@sigil-mcp/core/stores';
import type { RedisConnection } from './clients/redis-connection';
import type { Script } from './script';

/** How long and how many commands wait. */
export interface CommandLimits {
  /** Milliseconds. */
  readonly commandTimeout: number;
  readonly pendingCommands: number;
}

/** Sends commands; each rejects with `StoreAway` and nothing else. */
export class Commands {
  /** Those that the client has not settled, also when nobody waits for them any more: it still holds them. */
  #pending = 0;
  /** A client may be given while it connects for the first time; from then on, one without a connection is not waited for. */
  #wasReady = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly limits: CommandLimits,
  ) {}

  /**
   * Sends a command.
   * @param key the first of its keys
   */
  async run(key: string, ...words: readonly string[]): Promise<unknown> {
    try {
      return await this.#send(key, words);
    } catch (error) {
      throw away(error);
    }
  }

  /** Runs a program; its text is sent where Redis does not know it, as after a restart. All keys are of one slot. */
  async evaluate(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    const rest = [`${keys.length}`, ...keys, ...words];
    try {
      return await this.#send(keys[0], ['EVALSHA', script.digest, ...rest]);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw away(error);
    }
    return this.run(keys[0], 'EVAL', script.text, ...rest);
  }

  /**
   * Runs a program with its text, so that several of which none waits for another are run in their order: one that has to be sent
   * again would be overtaken.
   */
  evaluateInOrder(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    return this.run(keys[0], 'EVAL', script.text, `${keys.length}`, ...keys, ...words);
  }

  async #send(key: string, words: readonly string[]): Promise<unknown> {
    this.#wasReady ||= this.connection.isReady;
    if (this.#wasReady && !this.connection.isReady) throw new StoreAway('There is no connection.');
    const { pendingCommands, commandTimeout } = this.limits;
    if (this.#pending >= pendingCommands) throw new StoreAway(`${pendingCommands} commands wait (pendingCommands).`);
    this.#pending++;
    const sent = this.connection.command(key, words).finally(() => this.#pending--);
    const reply = await within(commandTimeout, sent);
    this.#wasReady = true;
    return reply;
  }
}

function away(error: unknown): StoreAway {
  return error instanceof StoreAway ? error : new StoreAway(error);
}

/** Resolves as something does, or rejects when the time is over. */
export function within<T>(milliseconds: number, sent: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StoreAway(`There was no answer in ${milliseconds} ms (commandTimeout).`)),
      milliseconds,
    );
    sent.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
