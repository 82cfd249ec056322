/** The share of one client in a limit of all clients: it follows from that limit, so that no client can lock out the others. */

/** By the name of a share: the name of the limit of all clients, and the number of such shares in it. */
export type ClientShares = Readonly<Record<string, readonly [all: string, shares: number]>>;

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
