/** The share of one caller in what a store of rests may hold. */
import { resultsError } from '../errors';

/** The shares of one caller in the limit of all. */
export const SHARES_OF_CALLERS = 8;

/** @throws SigilError for a share that is larger than the limit of all; `Infinity` is no limit, and fine */
export function checkShare(own: number, all: number, store: string): void {
  if (own > all && own !== Infinity)
    throw resultsError('SIGIL_RESULTS_SHARE', { store, value: String(own), most: String(all) });
}
