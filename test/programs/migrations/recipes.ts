/** What the servers of the migration guides have in common: their data. */

/** Grams of flour for one, by the name of the dish. */
export const flour: Readonly<Record<string, number>> = { pancakes: 60, bread: 125 };
