/** The limits of what clients may make a server hold; each refusal names its limit. See docs/limits.md. */
import { problem } from '../errors/catalogue';
import type { ReportProblem } from '@sigil-mcp/base';
import { isRate, type Rate } from './token-buckets';

/** By the name of a share: the name of the limit of all clients, and the number of such shares in it. */
export type ClientShares = Readonly<Record<string, readonly [all: string, shares: number]>>;

/** Limits of a server; an option that is left out has its default; `Infinity` means no limit. */
export interface ServerLimits {
  /** Bytes of a message, unless the transport limits it; 4 MiB if left out. */
  readonly messageBytes?: number;
  /** How deeply objects and arrays of a message may be nested; 200 if left out. */
  readonly nesting?: number;
  /** Bytes of memory for a client's description of itself in `initialize`: its name, version and capabilities; 16 KiB if left out. */
  readonly clientFacts?: number;
  /**
   * Bytes of memory that all clients together may make the server hold: parsed messages of running calls, sessions, streams, subscriptions,
   * bodies in transit; six times `heldPerClient` (192 MiB) if left out.
   */
  readonly held?: number;
  /**
   * Bytes of memory that one client may make the server hold; a sixth of `held` if left out. If both are left out: 32 MiB, or eight times
   * `messageBytes` if that is more.
   */
  readonly heldPerClient?: number;
  /** Messages in a batch, for the revision that has batches; 100 if left out. */
  readonly batchMessages?: number;
  /** Requests of a batch that are answered at the same time; 16 if left out. The others wait. */
  readonly batchCalls?: number;
  /** Characters in the answer to a batch; 16 MiB if left out. Answers beyond that become errors. */
  readonly batchAnswer?: number;
  /** Requests of all clients that are answered at the same time, except subscription streams; 10,000 if left out. */
  readonly calls?: number;
  /**
   * Requests of one client that are answered at the same time, and as many subscription streams; a tenth of `calls` (1,000) if left out. A
   * client is a connection; over HTTP it is a user with all their sessions, or all requests from one address.
   */
  readonly callsPerClient?: number;
  /** Resources that one client may be subscribed to; a hundredth of `subscriptions` (1,000) if left out. */
  readonly subscriptionsPerClient?: number;
  /** Resources that all clients together may be subscribed to; 100,000 if left out. */
  readonly subscriptions?: number;
  /** Characters of the URI of a subscription; 2,048 if left out. */
  readonly subscriptionUri?: number;
  /**
   * Characters of logs and progress that may wait for one client that does not read; 1 MiB if left out. Beyond that they are left
   * out, and a message reports how many logs were. Results are never left out.
   */
  readonly unread?: number;
  /** Progress reports of one call per second; 100 if left out. Further reports in between are left out. */
  readonly progressPerSecond?: number;
  /** Completions that one client may request; `{ calls: 100, per: 'second' }` if left out, `false` for any number. */
  readonly completions?: Rate | false;
}

/** The limits of one server. */
export type ResolvedLimits = Required<ServerLimits> & { readonly ofOnlyClient: SharesOfClient };

/** What one client may have of the limits of all. */
export type SharesOfClient = Pick<Required<ServerLimits>, keyof typeof SHARES>;

const MEBIBYTE = 1024 * 1024;

const SHARES = {
  heldPerClient: ['held', 6],
  callsPerClient: ['calls', 10],
  subscriptionsPerClient: ['subscriptions', 100],
} as const satisfies ClientShares;

const DEFAULTS: Omit<Required<ServerLimits>, 'held' | keyof typeof SHARES> = {
  messageBytes: 4 * MEBIBYTE,
  nesting: 200,
  clientFacts: 16 * 1024,
  batchMessages: 100,
  batchCalls: 16,
  batchAnswer: 16 * MEBIBYTE,
  calls: 10_000,
  subscriptions: 100_000,
  subscriptionUri: 2048,
  unread: MEBIBYTE,
  progressPerSecond: 100,
  completions: { calls: 100, per: 'second' },
};

/** Every limit of a server by its name. */
const NAMES = [...Object.keys(DEFAULTS), 'held', ...Object.keys(SHARES)];

/** Fills in the defaults. */
export function limitsOf(limits: ServerLimits = {}): ResolvedLimits {
  const { messageBytes = DEFAULTS.messageBytes } = limits;
  // A text message of any kind fits several times; a message of nothing but brackets does not.
  const { heldPerClient = Math.max(32 * MEBIBYTE, 8 * messageBytes) } = limits;
  // The names and types of the defaults and shares are those of all limits.
  const fill = (given: ServerLimits): Required<ServerLimits> =>
    fillLimits(given, { ...DEFAULTS, held: 6 * heldPerClient }, SHARES) as unknown as Required<ServerLimits>;
  const filled = fill(limits);
  return { ...filled, ofOnlyClient: sharesOfOnlyClient(limits, filled, fill({})) };
}

/** With a single client, nothing is kept for others: a share that was not set is the usual one, as far as the sum allows it. */
function sharesOfOnlyClient(
  given: ServerLimits,
  filled: Required<ServerLimits>,
  usual: Required<ServerLimits>,
): SharesOfClient {
  const shareOfOnly = (share: keyof typeof SHARES): number =>
    given[share] ?? Math.max(filled[share], Math.min(filled[SHARES[share][0]], usual[share]));
  return {
    heldPerClient: shareOfOnly('heldPerClient'),
    callsPerClient: shareOfOnly('callsPerClient'),
    subscriptionsPerClient: shareOfOnly('subscriptionsPerClient'),
  };
}

/** Reports limits that are not valid. */
export function checkLimits({ completions, ...numbers }: ServerLimits, report: ReportProblem): void {
  const where = 'createServer({ limits })';
  checkNumbers(numbers, NAMES, (limit, value, known) =>
    report(
      known
        ? problem('SIGIL_LIMIT', where, { limit, value })
        : problem('SIGIL_LIMIT_UNKNOWN', where, { limit, known: NAMES.join(', ') }),
    ),
  );
  checkShares({ ...limitsOf(numbers) }, SHARES, (large) => report(problem('SIGIL_LIMIT_SHARE', where, large)));
  if (completions && !isRate(completions))
    report(problem('SIGIL_LIMIT_RATE', where, { limit: 'completions', rate: JSON.stringify(completions) }));
}

/**
 * Finds limits that are neither a whole number of at least 1 nor `Infinity`, and unknown names.
 * @param report receives the name, its value, and whether the name is known
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

/**
 * Fills in the defaults. A share that is not given is its part of the limit of all clients, rounded up; of the default, if that limit is
 * `Infinity`.
 * @param defaults of all limits but the shares
 */
export function fillLimits(given: object, defaults: object, shares: ClientShares): Readonly<Record<string, unknown>> {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const usual: Readonly<Record<string, unknown>> = { ...defaults };
  const known = { ...usual, ...said };
  const derived = Object.entries(shares).map(([share, [all, parts]]) => {
    const most = Number(known[all] === Infinity ? usual[all] : known[all]);
    return [share, shareOf(most, parts)] as const;
  });
  return { ...known, ...Object.fromEntries(derived), ...said };
}

/** A share of a limit, rounded up. */
export function shareOf(all: number, shares: number): number {
  return Math.ceil(all / shares);
}

/** Reports each share that is larger than the limit of all clients. A share of `Infinity` is no limit, and fine. */
export function checkShares(
  limits: Readonly<Record<string, unknown>>,
  shares: ClientShares,
  report: (large: Readonly<Record<'limit' | 'value' | 'all' | 'most', string>>) => void,
): void {
  for (const [limit, [all]] of Object.entries(shares)) {
    const [value, most] = [limits[limit], limits[all]];
    if (typeof value !== 'number' || typeof most !== 'number' || value === Infinity) continue;
    if (value > most && most >= 1) report({ limit, value: String(value), all, most: String(most) });
  }
}
