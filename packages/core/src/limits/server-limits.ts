/** What clients may make a server hold; each refusal names its limit. docs/limits.md is its page. */
import { problem, type ReportProblem } from '../errors/definition-error';
import { isRate, type Rate } from './rate';

/** Limits of a server; what is left out has its default, and `Infinity` is no limit. */
export interface ServerLimits {
  /** Bytes of a message, where the transport does not say; 4 MiB if left out. */
  readonly messageBytes?: number;
  /** How deep objects and arrays of a message may lie in each other; 200 if left out. */
  readonly nesting?: number;
  /** Bytes of memory for what a client says of itself to begin a session: its name, version and capabilities; 16 KiB if left out. */
  readonly clientFacts?: number;
  /**
   * Bytes of memory that all clients together may make the server hold: messages of running calls as they are once parsed, sessions, streams,
   * subscriptions, bodies on their way; six times `heldPerClient` (192 MiB) if left out.
   */
  readonly held?: number;
  /** Bytes of memory that one client may make the server hold; 32 MiB if left out, or eight times `messageBytes` where that is more. */
  readonly heldPerClient?: number;
  /** Messages in a batch, for the revision that has batches; 100 if left out. */
  readonly batchMessages?: number;
  /** Requests of a batch that are answered at the same time; 16 if left out. The others wait. */
  readonly batchCalls?: number;
  /** Characters in the answer to a batch; 16 MiB if left out. What does not fit is answered with an error of its own. */
  readonly batchAnswer?: number;
  /** Requests of all clients that are answered at the same time, streams of changes apart; 10,000 if left out. */
  readonly calls?: number;
  /**
   * Requests of one client that are answered at the same time, and as many streams of changes; 1,000 if left out. A client is a
   * connection; over HTTP a user in all their sessions, or whoever shares an address.
   */
  readonly callsPerClient?: number;
  /** Resources that one client may be subscribed to; 1,000 if left out. */
  readonly subscriptionsPerClient?: number;
  /** Resources that all clients together may be subscribed to; 100,000 if left out. */
  readonly subscriptions?: number;
  /** Characters of a URI that is subscribed to; 2,048 if left out. */
  readonly subscriptionUri?: number;
  /**
   * Characters of logs and progress that may wait for one client that does not read; 1 MiB if left out. Beyond it they are left
   * out, and a message says how many logs were. Results never are.
   */
  readonly unread?: number;
  /** Progress that one call may tell in a second; 100 if left out. Beyond it what comes in between is left out. */
  readonly progressPerSecond?: number;
  /** Completions that one client may ask for; `{ calls: 100, per: 'second' }` if left out, `false` for any number. */
  readonly completions?: Rate | false;
}

/** The limits of one server. */
export type KnownLimits = Required<ServerLimits>;

const MEBIBYTE = 1024 * 1024;

const DEFAULTS: Omit<KnownLimits, 'held' | 'heldPerClient'> = {
  messageBytes: 4 * MEBIBYTE,
  nesting: 200,
  clientFacts: 16 * 1024,
  batchMessages: 100,
  batchCalls: 16,
  batchAnswer: 16 * MEBIBYTE,
  calls: 10_000,
  callsPerClient: 1000,
  subscriptionsPerClient: 1000,
  subscriptions: 100_000,
  subscriptionUri: 2048,
  unread: MEBIBYTE,
  progressPerSecond: 100,
  completions: { calls: 100, per: 'second' },
};

/** Every limit of a server by its name. */
const NAMES = [...Object.keys(DEFAULTS), 'held', 'heldPerClient'];

/** Fills in what is left out. */
export function limitsOf(limits: ServerLimits = {}): KnownLimits {
  const known = { ...DEFAULTS, ...limits };
  // A message of any kind of text has room several times, one of nothing but brackets has not.
  const heldPerClient = limits.heldPerClient ?? Math.max(32 * MEBIBYTE, 8 * known.messageBytes);
  return { ...known, heldPerClient, held: limits.held ?? 6 * heldPerClient };
}

/** Reports limits that are none. */
export function checkLimits({ completions, ...numbers }: ServerLimits, report: ReportProblem): void {
  const where = 'createServer({ limits })';
  checkNumbers(numbers, NAMES, (limit, value, known) =>
    report(
      known
        ? problem('SIGIL_LIMIT', where, { limit, value })
        : problem('SIGIL_LIMIT_UNKNOWN', where, { limit, known: NAMES.join(', ') }),
    ),
  );
  if (completions && !isRate(completions))
    report(problem('SIGIL_LIMIT_RATE', where, { limit: 'completions', rate: JSON.stringify(completions) }));
}

/**
 * Finds limits that are no whole number of at least 1, nor `Infinity`, and names that there are none of.
 * @param report is told the name, its value, and whether there is such a limit
 */
export function checkNumbers(
  limits: object,
  known: readonly string[],
  report: (limit: string, value: string, known: boolean) => void,
): void {
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    const isKnown = known.includes(name);
    const isFit = value === undefined || value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 1);
    if (!isKnown || !isFit) report(name, typeof value === 'string' ? JSON.stringify(value) : String(value), isKnown);
  }
}
