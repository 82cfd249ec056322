/** What a constraint of class-validator means in JSON Schema. */
import type { JsonSchema } from '../json-schema';
import type { Kind } from '../value-plan';

/** The part of a constraint that JSON Schema can say. */
export interface Meaning {
  /** The types it accepts at all; absent when it says nothing about types. */
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
   * The check in place of class-validator's, where that would not agree with the keywords; class-validator is asked where
   * there is none.
   */
  readonly checkedBy?: (value: unknown) => boolean;
  /** The constraint refuses more than the schema says. */
  readonly stricter?: true;
  /** It accepts texts that are not of the format which it is listed by: an output, which clients check, is listed without it. */
  readonly loose?: true;
  /** What the format says that a form may publish for it; left out where the constraint is another one than the format. */
  readonly fitsForm?: (value: unknown) => boolean;
  /** It is about the text of a date; a property that is declared as a Date gets the Date that the text says. */
  readonly dateText?: true;
  /** The milliseconds that a date is not before, or not after, where the author names a fixed date. */
  readonly period?: Readonly<Partial<Record<'earliest' | 'latest', number>>>;
  /** The expression of the author's that texts are compared with. */
  readonly expression?: RegExp | undefined;
}

/** The decorator's arguments -> the meaning. */
export type Interpret = (parameters: readonly unknown[]) => Meaning | undefined;

/** class-validator compares with `===`, so of a list of values only the primitives can ever be met in JSON. */
export function comparable(values: unknown): readonly unknown[] {
  if (!Array.isArray(values)) return [];
  const primitives = values.filter(
    (value: unknown) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  );
  return [...new Set<unknown>(primitives)];
}
