/** The ids that a client gives its requests and their progress. A server holds them, and repeats them in every message about them. */

/** Characters that such a name may have; those of clients are numbers or UUIDs. */
export const LONGEST_TOKEN = 512;

/** A string that is not too long, or an integer; an integer that has lost digits in `JSON.parse` is refused. */
export function isToken(value: unknown): value is string | number {
  return typeof value === 'string' ? value.length <= LONGEST_TOKEN : Number.isSafeInteger(value);
}
