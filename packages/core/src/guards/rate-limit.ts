/** A guard that keeps a rate: so many calls in so long, for each of those who call. */
import { Denial } from '../errors/denial';
import { sigilError } from '../errors/sigil-error';
import type { Call } from '../context/call';
import type { Guard, Verdict } from '../context/guard';
import { networkOf } from '../limits/client-address';
import { isRate, type Rate } from '../limits/rate';
import { TokenBuckets } from '../limits/token-buckets';

/** What is limited, and for whom. */
export interface RateLimitOptions extends Rate {
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
 * the entries that it stands on share the rate; on the server it counts every call of an entry. Lists are not limited. The rate belongs to
 * the guard: all servers of a process that have a class share the rates on it.
 * @throws SigilError for a rate that is none
 * @example @UseGuards(RateLimit({ calls: 10, per: 'minute' }))
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
  readonly #buckets: TokenBuckets;

  constructor(private readonly options: RateLimitOptions) {
    this.#buckets = new TokenBuckets(options);
  }

  allows(): Verdict {
    return true;
  }

  allowsCall(call: Call): Verdict {
    const wait = this.#buckets.take(keyOf(call, this.options.by));
    return wait === 0 ? true : tooOften(this.options, wait);
  }
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
