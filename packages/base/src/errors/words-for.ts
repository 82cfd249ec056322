/** From the text of an error and its values to its two sentences; a missing value does not compile. */
import type { CatalogueEntries, CatalogueEntry } from './catalogue-entry';

/** The problem and its fix, under a stable code. */
export interface ErrorWords {
  /** Stable, for programs and searches: `SIGIL_DTO_PROPERTY_WITHOUT_TYPE`. */
  readonly code: string;
  /** The problem, one sentence. */
  readonly problem: string;
  /** How to fix it, one sentence, imperative. */
  readonly fix: string;
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? Placeholder<Inner> | Placeholders<Rest>
  : never;

/** The text after the last brace; doubled braces are not placeholders, nor is text that is not a single name. */
type Placeholder<Inner extends string> = Inner extends `{${string}`
  ? never
  : Inner extends `${string}{${infer Last}`
    ? Placeholder<Last>
    : Inner extends `${string}${' ' | ':' | '.' | ','}${string}`
      ? never
      : Inner;

/** The names in braces in the sentences of an error. */
type NamesOf<Entry extends CatalogueEntry> = Placeholders<Entry['problem' | 'fix']>;

/** The values for the placeholders of an error; empty if it has no placeholders. */
export type ValuesOf<Entry extends CatalogueEntry> = [NamesOf<Entry>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Entry>, string | number>>];

/** The codes of some errors. */
export type CodeOf<Entries extends CatalogueEntries> = keyof Entries & string;

const PLACEHOLDER = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/** The sentences of an error, filled in. */
export function fillWords(
  code: string,
  { problem, fix }: CatalogueEntry,
  values: Readonly<Record<string, string | number>> = {},
): ErrorWords {
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (_all, plain: string | undefined, name: string) =>
      plain === undefined ? String(values[name]) : `{${plain}}`,
    );
  return { code, problem: fill(problem), fix: fill(fix) };
}
