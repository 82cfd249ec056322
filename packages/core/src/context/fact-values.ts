/** The values that facts of authors have for one entry: `createFact` makes the facts, their decorators write the values. */

/** A fact with any type of values. */
export interface AnyFact {
  /** For messages, such as `Roles`. */
  readonly label: string;
  /** The name of the extension that it belongs to; undefined if it works by itself. */
  readonly extension: string | undefined;
  /** Whether it may decorate what is no entry. */
  readonly standsAlone: boolean;
}

/** A fact and one value of it. */
export interface FactValue {
  readonly fact: AnyFact;
  readonly value: unknown;
}

/** Fact -> its values for an entry: those of the class first, then those of the method. */
export type FactValues = ReadonlyMap<AnyFact, readonly unknown[]>;

/** Groups values by their facts; undefined without values, as for most entries. */
export function groupFacts(values: readonly FactValue[]): FactValues | undefined {
  if (values.length === 0) return undefined;
  const grouped = new Map<AnyFact, unknown[]>();
  for (const { fact, value } of values) {
    const known = grouped.get(fact);
    if (known) known.push(value);
    else grouped.set(fact, [value]);
  }
  return grouped;
}
