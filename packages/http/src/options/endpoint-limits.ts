/** The limits of what clients can make an endpoint hold; each refusal names its limit. They are documented in docs/limits.md. */
import { checkNumbers, checkShares, fillLimits, shareOf, sigilError, type ClientShares } from '@sigil-mcp/core/adapter';

/** Limits of an endpoint; limits that are left out have their defaults, and `Infinity` is no limit. */
export interface EndpointLimits {
  /**
   * Sessions at the same time; 10,000 if left out. A new session closes the one that has been idle longest. If all are busy,
   * a new one is refused.
   */
  readonly sessions?: number;
  /**
   * Sessions of one client at the same time, an authenticated user, else an address; a tenth of `sessions` (1,000) if left out. A new
   * one closes the client's own session that has been idle longest.
   */
  readonly sessionsPerClient?: number;
  /** Event streams at the same time; 10,000 if left out. With more, no lasting streams are opened. */
  readonly streams?: number;
  /** Event streams of one client at the same time; a tenth of `streams` (1,000) if left out. With more, no lasting streams are opened for it. */
  readonly streamsPerClient?: number;
  /** Stored events of one stream, for clients that reconnect; 1,000 if left out. The oldest are dropped first. */
  readonly streamEvents?: number;
  /** Bytes of the stored events of one session; 1 MiB if left out. The oldest are dropped first, the newest one never. */
  readonly sessionEvents?: number;
  /** Bytes of the stored events of all sessions; a sixth of `held` of the server (32 MiB) if left out. The oldest are dropped first. */
  readonly events?: number;
  /**
   * Bytes of answers that wait for one slow reader, a user, else a session, else a connection; a third of `unread` (32 MiB) if left
   * out. With more, its requests are refused.
   */
  readonly unreadPerClient?: number;
  /**
   * Bytes of answers that wait for slow readers; half of `held` of the server (96 MiB) if left out. With more, answers of the client that has
   * most of them are aborted, those that have waited longest first.
   */
  readonly unread?: number;
  /**
   * Milliseconds that `verify` of `auth` may take for a token, or `identify` for a request; 10,000 if left out. After that the request is answered with 503 and a
   * retry time.
   */
  readonly verifyTimeout?: number;
}

/** The limits of one endpoint. */
export type ResolvedEndpointLimits = Required<EndpointLimits>;

const MEBIBYTE = 1024 * 1024;

const SHARES = {
  sessionsPerClient: ['sessions', 10],
  streamsPerClient: ['streams', 10],
  unreadPerClient: ['unread', 3],
} as const satisfies ClientShares;

const DEFAULTS: Omit<ResolvedEndpointLimits, keyof typeof SHARES> = {
  sessions: 10_000,
  streams: 10_000,
  streamEvents: 1000,
  sessionEvents: MEBIBYTE,
  events: 32 * MEBIBYTE,
  unread: 96 * MEBIBYTE,
  verifyTimeout: 10_000,
};

const NAMES = [...Object.keys(DEFAULTS), ...Object.keys(SHARES)];

/** What waits for clients is not refused: it must leave a part of the memory for all clients to everything else. */
const PARTS_OF_HELD = { unread: 2, events: 6 } as const;

/**
 * Adds the defaults. Throws a `SigilError` for an invalid limit.
 * @param held bytes of memory for all clients of the server
 */
export function endpointLimitsOf(limits: EndpointLimits = {}, held = Infinity): ResolvedEndpointLimits {
  checkNumbers(limits, NAMES, (limit, value, isKnown) => {
    if (isKnown) throw sigilError('SIGIL_LIMIT', { limit, value });
    throw sigilError('SIGIL_LIMIT_UNKNOWN', { limit, known: NAMES.join(', ') });
  });
  const parts = Object.entries(PARTS_OF_HELD).map(([limit, part]) => [limit, shareOf(held, part)] as const);
  const defaults = held === Infinity ? DEFAULTS : { ...DEFAULTS, ...Object.fromEntries(parts) };
  const resolved = fillLimits(limits, defaults, SHARES);
  checkShares(resolved, SHARES, (large) => {
    throw sigilError('SIGIL_LIMIT_SHARE', large);
  });
  // The names and types of the defaults and shares are those of all limits.
  return resolved as unknown as ResolvedEndpointLimits;
}
