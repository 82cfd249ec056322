/** What the clients of an endpoint may make it hold; each refusal names its limit. docs/limits.md is their page. */
import { checkNumbers, sigilError } from '@sigil-mcp/core/adapter';

/** Limits of an endpoint; what is left out has its default, and `Infinity` is no limit. */
export interface EndpointLimits {
  /**
   * Sessions at the same time; 10,000 if left out. Beyond it the longest idle one makes room for a new one. Where all are busy,
   * a new one is refused.
   */
  readonly sessions?: number;
  /**
   * Sessions of one client at the same time, an authenticated user, else an address; 1,000 if left out. Beyond it its own longest idle one
   * makes room.
   */
  readonly sessionsPerClient?: number;
  /** Event streams at the same time; 10,000 if left out. Beyond it nothing more that lasts is opened. */
  readonly streams?: number;
  /** Event streams of one client at the same time; 1,000 if left out. Beyond it nothing more that lasts is opened for it. */
  readonly streamsPerClient?: number;
  /** Events that are kept of one stream for a client that comes back for them; 1,000 if left out. The oldest go first. */
  readonly streamEvents?: number;
  /** Characters of the events that are kept for one session; 1 MiB if left out. */
  readonly sessionEvents?: number;
  /** Characters of the events that are kept for all sessions; 32 MiB if left out. */
  readonly events?: number;
  /**
   * Bytes of answers that wait for one slow reader, a user, else a session, else a connection; 32 MiB if left out. With more than that its
   * requests are refused.
   */
  readonly unreadPerClient?: number;
  /** Bytes of answers that wait for slow readers; 96 MiB if left out. Beyond it those that waited for longest are broken off. */
  readonly unread?: number;
  /**
   * Milliseconds that `verify` of `auth` may take for a token; 10,000 if left out. Beyond it nobody knows whether the token is good, and
   * its client is told to come back.
   */
  readonly verifyTimeout?: number;
}

/** The limits of one endpoint. */
export type KnownEndpointLimits = Required<EndpointLimits>;

const MEBIBYTE = 1024 * 1024;

const DEFAULTS: KnownEndpointLimits = {
  sessions: 10_000,
  sessionsPerClient: 1000,
  streams: 10_000,
  streamsPerClient: 1000,
  streamEvents: 1000,
  sessionEvents: MEBIBYTE,
  events: 32 * MEBIBYTE,
  unreadPerClient: 32 * MEBIBYTE,
  unread: 96 * MEBIBYTE,
  verifyTimeout: 10_000,
};

/** Fills in what is left out. Throws a `SigilError` for a limit that is none. */
export function endpointLimitsOf(limits: EndpointLimits = {}): KnownEndpointLimits {
  checkNumbers(limits, Object.keys(DEFAULTS), (limit, value, isKnown) => {
    if (isKnown) throw sigilError('SIGIL_LIMIT', { limit, value });
    throw sigilError('SIGIL_LIMIT_UNKNOWN', { limit, known: Object.keys(DEFAULTS).join(', ') });
  });
  return { ...DEFAULTS, ...limits };
}
