/** A rate: a number of calls per period. */

/** So many times in so long. */
export interface Rate {
  /** How often, at least once; they may all come at the same time. */
  readonly calls: number;
  /** In how long: milliseconds, or one of these. */
  readonly per: number | 'second' | 'minute' | 'hour';
}

const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

/** The time of a rate in milliseconds. */
export function periodOf({ per }: Rate): number {
  return typeof per === 'number' ? per : MILLISECONDS[per];
}

/** Whether a rate can be kept: its calls a whole number of at least 1, its time a known word or more than 0 milliseconds. */
export function isRate(rate: Rate): boolean {
  const { calls, per } = rate;
  if (!Number.isSafeInteger(calls) || calls < 1) return false;
  return typeof per === 'number' ? Number.isFinite(per) && per > 0 : Object.hasOwn(MILLISECONDS, per);
}
