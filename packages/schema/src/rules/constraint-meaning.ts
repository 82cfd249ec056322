/** The meaning of a class-validator constraint in JSON Schema. */
import type { FormFormat } from '../date-text';
import type { JsonSchema, Kind } from '../value-plan';

/** The part of a constraint that JSON Schema can express. */
export interface Meaning {
  /** The types that it accepts; absent if it accepts any type. */
  readonly kinds?: readonly Kind[];
  readonly integer?: true;
  readonly neverNull?: true;
  readonly keywords?: JsonSchema;
  /** The only values it accepts. */
  readonly allowed?: readonly unknown[];
  /** Values it refuses. */
  readonly excluded?: readonly unknown[];
  /** The value is a Set or a Map in the handler. */
  readonly made?: 'Set' | 'Map';
  /** An absent value satisfies it. */
  readonly mayBeAbsent?: true;
  /**
   * A check to use instead of class-validator's, if that would not agree with the keywords; without it, class-validator's own is used.
   */
  readonly checkedBy?: (value: unknown) => boolean;
  /** The constraint refuses more than the schema does. */
  readonly stricter?: true;
  /**
   * What it accepts, in words: more texts than its format. Clients check values before they send them, and what they receive, so the format
   * is not listed.
   */
  readonly loose?: string;
  /** A format that a form may publish for it; left out if the constraint differs from the format. */
  readonly formFormat?: FormFormat;
  /** It checks the text of a date; a property that is declared as a Date receives the Date. */
  readonly dateText?: true;
  /** The earliest and latest date in milliseconds, if the author names fixed dates. */
  readonly period?: Readonly<Partial<Record<'earliest' | 'latest', number>>>;
  /** The author's regular expression. */
  readonly expression?: RegExp | undefined;
}

/** The decorator's arguments -> the meaning. */
export type Interpret = (parameters: readonly unknown[]) => Meaning | undefined;

/** class-validator compares with `===`, so only the primitives in a list of values can match JSON. */
export function comparable(values: unknown): readonly unknown[] {
  if (!Array.isArray(values)) return [];
  const primitives = values.filter(
    (value: unknown) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  );
  return [...new Set<unknown>(primitives)];
}
