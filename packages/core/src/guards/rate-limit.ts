/** A guard that keeps a rate: so many calls in so long, for each of those who call. */
import { Denial } from '../errors/denial';
import { sigilError } from '../errors/sigil-error';
import type { Call } from '../context/call';
import type { Guard, Verdict } from '../context/guard';
import { networkOf } from '../limits/client-address';
import { isRate, type Rate } from '../limits/rate';
import { TokenBuckets } from '../limits/token-buckets';
import type { RateStore } from '../stores/rate-store';
import { isPromise, type MaybePromise } from '../values/maybe-promise';
import { isObject } from '../values/plain-object';

/** What is limited, and for whom. */
export interface RateLimitOptions extends Rate {
  /**
   * Under which all instances of a server keep the rate together, where it has stores (`createServer({ stores })`): another one for each
   * limit. If left out each instance keeps the rate by itself, and as many calls more go through as there are instances.
   */
  readonly name?: string;
  /**
   * Who has a rate of their own: an authenticated caller, a session or connection, an address, or what a function says of a call;
   * callers if left out. For one whom nobody authenticated the address stands in, because a new session costs nothing: `session`
   * bounds no client that may open more of them. Where there are no addresses (stdio) it is the connection; without a session,
   * the address. Of an IPv6 address the first 64 bits count.
   */
  readonly by?: 'principal' | 'session' | 'address' | ((call: Call) => string | object);
}

/**
 * A guard that lets so many calls through, and refuses the others with 429 and the seconds after which there is room again. All
 * the entries that it stands on share the rate, for each server by itself; on the server it counts every call of an entry. Lists are not
 * limited.
 * @throws SigilError for a rate that is none
 * @example
 * ```@UseGuards(RateLimit({ calls: 10, per: 'minute' }))```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations
 */
export function RateLimit(options: RateLimitOptions): Guard {
  if (!isRate(options)) {
    const { calls, per } = options;
    throw sigilError('SIGIL_RATE', { rate: JSON.stringify({ calls, per }) });
  }
  return new RateGuard(options);
}

class RateGuard implements Guard {
  readonly dependsOn = 'rights';
  /** Of each server that the guard stands in. */
  readonly #buckets = new WeakMap<RateStore, TokenBuckets>();

  constructor(private readonly options: RateLimitOptions) {}

  allows(): Verdict {
    return true;
  }

  allowsCall(call: Call): MaybePromise<Verdict> {
    const { by, name } = this.options;
    const key = keyOf(call, by);
    const shared = name === undefined ? undefined : sharedKeyOf(key);
    if (shared === undefined) return this.#takeHere(call, key);
    const wait = call.rates.take(`${name} ${shared}`, this.options);
    if (!isPromise(wait)) return this.#verdict(wait);
    // A store that is away is no reason to refuse, nor to let everything through.
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

/** A key that means the same in every process; undefined for a thing of this one. */
function sharedKeyOf(key: unknown): string | undefined {
  if (typeof key === 'string') return key;
  return isObject(key) && typeof key['id'] === 'string' ? `session ${key['id']}` : undefined;
}

/** The refusal of what came too often, with the milliseconds until there is room. */
export function tooOften({ calls, per }: Rate, wait: number): Denial {
  const period = typeof per === 'number' ? `${per} ms` : per;
  const seconds = Math.ceil(wait / 1000);
  const message = `At most ${calls} ${calls === 1 ? 'request' : 'requests'} of this kind per ${period}. Try again in ${seconds} s.`;
  return new Denial(message, { status: 429, retryAfter: seconds });
}

/** Who has a bucket. Keys of different kinds never meet. */
export function keyOf(call: Call, by: RateLimitOptions['by'] = 'principal'): unknown {
  if (typeof by === 'function') return by(call);
  const { session, address } = call;
  const { principal } = call.context.caller;
  if (by === 'principal' && principal !== undefined) return `principal ${principal}`;
  if (by === 'session' && session) return session;
  return address === undefined ? (session ?? 'nobody') : `address ${networkOf(address)}`;
}
