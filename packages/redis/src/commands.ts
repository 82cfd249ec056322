/** The way to Redis: every command has a time limit, so many of them wait, and there is one error for all that goes wrong. */
import type { Clock } from '@sigil-mcp/core';
import { StoreAway } from '@sigil-mcp/core/stores';
import type { RedisConnection } from './clients/redis-connection';
import { Demotion } from './demotion';
import type { Script } from './script';

/** How long and how many commands wait. */
export interface CommandLimits {
  /** Milliseconds. */
  readonly commandTimeout: number;
  readonly pendingCommands: number;
  readonly clock: Clock;
}

/** Sends commands; each rejects with `StoreAway` and nothing else. */
export class Commands {
  /** Those that the client has not settled, also when nobody waits for them any more: it still holds them. */
  #pending = 0;
  /** A client may be given while it connects for the first time; from then on, one without a connection is not waited for. */
  #wasReady = false;
  readonly #demotion: Demotion;

  constructor(
    private readonly connection: RedisConnection,
    private readonly limits: CommandLimits,
  ) {
    this.#demotion = new Demotion(connection, limits.clock);
  }

  /**
   * Sends a command.
   * @param key the first of its keys
   */
  run(key: string, ...words: readonly string[]): Promise<unknown> {
    return this.#send(key, words, (error) => away(error));
  }

  /** Runs a program; its text is sent where Redis does not know it, as after a restart. All keys are of one slot. */
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
   * Runs a program with its text, so that several of which none waits for another are run in their order: one that has to be sent
   * again would be overtaken.
   */
  evaluateInOrder(script: Script, keys: readonly [string, ...string[]], ...words: readonly string[]): Promise<unknown> {
    return this.run(keys[0], 'EVAL', script.text, `${keys.length}`, ...keys, ...words);
  }

  /** One promise for each command: there is one on the way of every call of a session. */
  #send(key: string, words: readonly string[], failure: (error: unknown) => unknown): Promise<unknown> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(new StoreAway(refusal));
    const { commandTimeout, clock } = this.limits;
    return new Promise((resolve, reject) => {
      // A process that was held still finds its timers due, and the answers waiting: those are read first.
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
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- What the client rejects with is looked at.
          reject(failure(error));
        },
      );
    });
  }

  /** Why nothing can be sent; undefined where it can. */
  #refusal(): string | undefined {
    this.#wasReady ||= this.connection.isReady;
    if (this.#wasReady && !this.connection.isReady) return 'There is no connection.';
    const { pendingCommands } = this.limits;
    return this.#pending >= pendingCommands ? `${pendingCommands} commands wait (pendingCommands).` : undefined;
  }
}

function late(milliseconds: number): StoreAway {
  return new StoreAway(`There was no answer in ${milliseconds} ms (commandTimeout).`);
}

function away(error: unknown): StoreAway {
  return error instanceof StoreAway ? error : new StoreAway(error);
}

/** Resolves as something does, or rejects when the time is over. */
export function within<T>(
  { commandTimeout, clock }: Pick<CommandLimits, 'commandTimeout' | 'clock'>,
  sent: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(commandTimeout, () => reject(late(commandTimeout)));
    sent.then(resolve, reject).finally(() => timer.close());
  });
}
