/** How many connections may be open at the same time. */
import { sigilError } from '@sigil-mcp/core/adapter';
import { checkNumbers, shareOf } from '@sigil-mcp/core/internal';

/** Limits of connections; those that are left out have their defaults, and `Infinity` is no limit. */
export interface ConnectionLimits {
  /** Connections of all clients; 20,000 if left out. */
  readonly all?: number;
  /**
   * Connections of one address, or of one IPv6 network of 64 bits; a tenth of `all` (2,000) if left out. It does not apply to the proxies that
   * `trustProxy` names, whose connections are those of any number of clients.
   */
  readonly perAddress?: number;
}

const ALL = 20_000;
const SHARES = 10;

/** Adds the defaults. Throws a `SigilError` for an invalid limit. */
export function connectionLimitsOf(limits: ConnectionLimits = {}): Required<ConnectionLimits> {
  checkNumbers(limits, ['all', 'perAddress'], (name, value, isKnown) => {
    const limit = `connections.${name}`;
    if (isKnown) throw sigilError('SIGIL_LIMIT', { limit, value });
    throw sigilError('SIGIL_LIMIT_UNKNOWN', { limit, known: 'connections.all, connections.perAddress' });
  });
  const { all = ALL } = limits;
  const { perAddress = shareOf(all === Infinity ? ALL : all, SHARES) } = limits;
  if (perAddress > all && perAddress !== Infinity)
    throw sigilError('SIGIL_LIMIT_SHARE', {
      limit: 'connections.perAddress',
      value: String(perAddress),
      all: 'connections.all',
      most: String(all),
    });
  return { all, perAddress };
}
