/** From a code and its values to the two sentences of an error; a missing value or an unknown code does not compile. */
import { CATALOGUE, type ErrorCode } from './catalogue';

/** The problem and its fix, under a stable code. */
export interface ErrorWords {
  /** Stable, for programs and searches: `SIGIL_DTO_PROPERTY_WITHOUT_TYPE`. */
  readonly code: ErrorCode;
  /** The problem, one sentence. */
  readonly what: string;
  /** How to fix it, one sentence, imperative. */
  readonly fix: string;
}

/** The names in braces in the sentences of a code. */
type NamesOf<Code extends ErrorCode> = Placeholders<(typeof CATALOGUE)[Code]['what' | 'fix']>;

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

/** The values for the placeholders of a code; empty if it has no placeholders. */
export type ValuesFor<Code extends ErrorCode> = [NamesOf<Code>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Code>, string | number>>];

const PLACEHOLDER = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/**
 * The sentences of a code, filled in; for an unknown code those of `SIGIL_INTERNAL`, with the name of that code.
 * @example wordsFor('SIGIL_TOOL_NAME', { name: '"a b"' })
 */
export function wordsFor<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): ErrorWords {
  // Only the types guarantee that it is a code.
  if (!Object.hasOwn(CATALOGUE, code))
    return wordsFor('SIGIL_INTERNAL', { what: `${String(code)} is no code of the catalogue` });
  const { what, fix } = CATALOGUE[code];
  // The type of the values is derived from the placeholders in these texts.
  const [given = {}] = values as readonly Readonly<Record<string, string | number>>[];
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (_all, plain: string | undefined, name: string) =>
      plain === undefined ? String(given[name]) : `{${plain}}`,
    );
  return { code, what: fill(what), fix: fill(fix) };
}
