/** Rests in Redis, which several instances of a server share. */
import { createHash } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';
import { nameValue, systemClock } from '@sigil-mcp/core/adapter';
import { Commands, connectionOf, readText, type RedisClient } from '@sigil-mcp/redis/adapter';
import { resultsError } from '../../errors';
import type { RestStore, StoredRest } from '../rest-store';
import { FIND, KEEP } from './scripts';

/** Options that are left out have their defaults. */
export interface RedisResultsOptions {
  /**
   * The prefix of all keys, of letters, digits, `-`, `_` and `:`; `sigil:results` if left out. The name of the server follows it, so that servers
   * of different names may share it.
   */
  readonly prefix?: string;
  /** Characters of the rests of one caller, sealed; 8 MiB if left out. Callers without an identity are one caller. */
  readonly charactersPerCaller?: number;
  /** Milliseconds after which a command without an answer fails; 1000 if left out. */
  readonly commandTimeout?: number;
  /** The source of timers, for tests; the system clock if left out. */
  readonly clock?: Clock;
}

/** Commands that may be pending at the same time: further ones fail at once. */
const PENDING_COMMANDS = 1000;
/** The default of `charactersPerCaller`. */
const OWN_CHARACTERS = 8 * 1024 * 1024;
const PREFIX = /^[A-Za-z0-9:_-]+$/;

/**
 * A store of rests in a Redis of version 7.0 or newer, or a compatible server: one server, a cluster, or with Sentinel (ioredis only). The
 * client stays open. Commands reject with `StoreAway` when Redis cannot be reached: a result is cut then, and its rest is lost.
 * @param client your client: of node-redis (`@redis/client`, `redis`) or ioredis, connected, with the settings of https://sigil-mcp.github.io/sigil/deployment#configure-redis
 * @throws SigilError for a client or an option that cannot be used
 * @example resultBudgets({ store: redisResults(client) })
 */
export function redisResults(client: RedisClient, options: RedisResultsOptions = {}): RestStore {
  const { prefix = 'sigil:results', charactersPerCaller = OWN_CHARACTERS, commandTimeout = 1000 } = options;
  const { clock = systemClock } = options;
  check('prefix', prefix, { wanted: 'letters, digits, -, _ and :', fits: PREFIX.test(String(prefix)) });
  for (const [option, value] of Object.entries({ charactersPerCaller, commandTimeout }))
    check(option, value, { wanted: 'a whole number of at least 1', fits: Number.isSafeInteger(value) && value >= 1 });
  const connection = connectionOf(client, { commandTimeout, clock });
  const commands = new Commands(connection, { commandTimeout, pendingCommands: PENDING_COMMANDS, clock });
  return new RedisRestStore(commands, { prefix, charactersPerCaller });
}

function check(option: string, value: unknown, { wanted, fits }: { readonly wanted: string; readonly fits: boolean }) {
  if (!fits) throw resultsError('SIGIL_RESULTS_STORE', { option, value: nameValue(value), wanted });
}

class RedisRestStore implements RestStore {
  readonly isShared = true;
  #server = '';

  constructor(
    private readonly commands: Commands,
    private readonly settings: Required<Pick<RedisResultsOptions, 'prefix' | 'charactersPerCaller'>>,
  ) {}

  open(server: string): void {
    this.#server = server;
  }

  async keep({ id, owner, text, ttl }: StoredRest): Promise<boolean> {
    const slot = this.#slotOf(owner);
    const limits = [Math.max(1, Math.ceil(ttl)), this.settings.charactersPerCaller].map(String);
    const keys = [`${slot}:rest:${id}`, `${slot}:times`, `${slot}:lengths`] as const;
    const reply = await this.commands.evaluate(KEEP, [...keys], id, text, `${text.length}`, ...limits, `${slot}:rest:`);
    return readText(reply) === 'kept';
  }

  async find(id: string, owner: string): Promise<string | undefined> {
    return readText(await this.commands.evaluate(FIND, [`${this.#slotOf(owner)}:rest:${id}`]));
  }

  /** The part in braces decides the slot in a cluster: that of a caller. */
  #slotOf(owner: string): string {
    const digest = createHash('sha256')
      .update(JSON.stringify([this.#server, owner]))
      .digest('base64url');
    return `${this.settings.prefix}:{${digest}}`;
  }
}
