/** A guard that limits the rate of calls, for each caller. */
import { Denial } from '../errors/denial';
import { sigilError } from '../errors/catalogue';
import type { Call, Guard, Verdict } from '../context/call';
import { networkOf } from '../limits/client-key';
import { TokenBuckets, isRate, type Rate } from '../limits/token-buckets';
import type { RateStore } from '../stores/stores';
import { OPTION_RULES, isObject, isPromise, requireOptions, type MaybePromise, type OptionRule } from '@sigil-mcp/base';

/** The rate, and the callers that share it. */
export interface RateLimitOptions extends Rate {
  /**
   * The name under which all instances of a server share the rate, if it has stores (`createServer({ stores })`): a different name for
   * each limit. If left out each instance counts alone, so as many times more calls go through as there are instances.
   */
  readonly name?: string;
  /**
   * The unit that has its own rate: an authenticated caller, a session or connection, an address, or the return value of a function;
   * callers if left out. For a caller without authentication the address is used, because a new session costs nothing: `session` limits
   * no client that can open more of them. If there are no addresses (stdio) the connection is used; without a session, the address. Of
   * an IPv6 address the first 64 bits count.
   */
  readonly by?: 'principal' | 'session' | 'address' | ((call: Call) => string | object);
}

/** The rate itself is checked as a whole. */
const RATE_OPTIONS: Readonly<Record<keyof RateLimitOptions, OptionRule | undefined>> = {
  calls: undefined,
  per: undefined,
  name: OPTION_RULES.text,
  by: {
    wanted: "'principal', 'session', 'address' or a function",
    fits: (value) => typeof value === 'function' || ['principal', 'session', 'address'].includes(String(value)),
  },
};

/**
 * A guard that lets a number of calls through in a period, and refuses further calls with 429 and the seconds to wait. All entries that
 * it protects share the rate, separately for each server; on the server it counts every call of an entry, a task once. Lists are not limited.
 * @throws SigilError for a rate that is not valid, DefinitionError for options that do not exist
 * @example
 * ```@UseGuards(RateLimit({ calls: 10, per: 'minute' }))```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations
 */
export function RateLimit(options: RateLimitOptions): Guard {
  requireOptions('RateLimit', options, RATE_OPTIONS);
  if (!isRate(options)) {
    const { calls, per } = options;
    throw sigilError('SIGIL_RATE', { rate: JSON.stringify({ calls, per }) });
  }
  return new RateGuard(options);
}

/** What `RateLimit` makes; a description of an entry tells its rate. */
export class RateGuard implements Guard {
  readonly dependsOn = 'rights';
  /** One for each server that uses the guard. */
  readonly #buckets = new WeakMap<RateStore, TokenBuckets>();

  constructor(private readonly options: RateLimitOptions) {}

  get rate(): Rate {
    const { calls, per } = this.options;
    return { calls, per };
  }

  allows(): Verdict {
    return true;
  }

  allowsCall(call: Call): MaybePromise<Verdict> {
    // It was counted with its request.
    if (call.isBackground) return true;
    const { by, name } = this.options;
    const key = keyOf(call, by);
    const shared = name === undefined ? undefined : sharedKeyOf(key);
    if (shared === undefined) return this.#takeHere(call, key);
    const wait = call.rates.take(`${name} ${shared}`, this.options);
    if (!isPromise(wait)) return this.#verdict(wait);
    // If the store is unreachable, calls are neither all refused nor all let through.
    return wait.then(
      (later) => this.#verdict(later),
      () => this.#takeHere(call, key),
    );
  }

  #takeHere({ rates, clock }: Call, key: unknown): Verdict {
    const known = this.#buckets.get(rates);
    const buckets = known ?? new TokenBuckets(this.options, clock);
    if (!known) this.#buckets.set(rates, buckets);
    return this.#verdict(buckets.take(key));
  }

  #verdict(wait: number): Verdict {
    return wait === 0 ? true : tooOften(this.options, wait);
  }
}

/** A key that is the same in every process; undefined for a key that exists in this process only. */
function sharedKeyOf(key: unknown): string | undefined {
  if (typeof key === 'string') return key;
  return isObject(key) && typeof key['id'] === 'string' ? `session ${key['id']}` : undefined;
}

/**
 * The refusal of a call beyond the rate.
 * @param wait milliseconds until the next call
 * @param limit the option that sets the rate, if it is one of the server
 */
export function tooOften({ calls, per }: Rate, wait: number, limit?: string): Denial {
  const period = typeof per === 'number' ? `${per} ms` : per;
  const seconds = Math.ceil(wait / 1000);
  const message = `At most ${calls} ${calls === 1 ? 'request' : 'requests'} of this kind per ${period}. Try again in ${seconds} s.`;
  return new Denial(message, { status: 429, retryAfter: seconds, ...(limit !== undefined && { limit }) });
}

/** The key of a caller's bucket. Keys of different kinds never collide. */
export function keyOf(call: Call, by: RateLimitOptions['by'] = 'principal'): unknown {
  if (typeof by === 'function') return by(call);
  const { session, address } = call;
  const { principal } = call.context.caller;
  if (by === 'principal' && principal !== undefined) return `principal ${principal}`;
  if (by === 'session' && session) return session;
  return address === undefined ? (session ?? 'nobody') : `address ${networkOf(address)}`;
}
