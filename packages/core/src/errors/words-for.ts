/** From a code and its values to the two sentences of an error; a value too few, or a code that is none, does not compile. */
import { CATALOGUE, type ErrorCode } from './catalogue';

/** What is wrong and how to fix it, under a stable code. */
export interface ErrorWords {
  /** Stable, for programs and searches: `SIGIL_DTO_PROPERTY_WITHOUT_TYPE`. */
  readonly code: ErrorCode;
  /** What is wrong, one sentence. */
  readonly what: string;
  /** How to fix it, one sentence, imperative. */
  readonly fix: string;
}

/** The sentences of a code hold these names in braces. */
type NamesOf<Code extends ErrorCode> = Placeholders<(typeof CATALOGUE)[Code]['what' | 'fix']>;

type Placeholders<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? Placeholder<Inner> | Placeholders<Rest>
  : never;

/** After the last brace; doubled braces are no placeholder, and neither is what is no word. */
type Placeholder<Inner extends string> = Inner extends `{${string}`
  ? never
  : Inner extends `${string}{${infer Last}`
    ? Placeholder<Last>
    : Inner extends `${string}${' ' | ':' | '.' | ','}${string}`
      ? never
      : Inner;

/** What the sentences of a code are filled with; nothing where they hold no names. */
export type ValuesFor<Code extends ErrorCode> = [NamesOf<Code>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Code>, string | number>>];

const PLACEHOLDER = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/**
 * The sentences of a code, filled in; those of `SIGIL_INTERNAL`, with its name, for a code that is none.
 * @example wordsFor('SIGIL_TOOL_NAME', { name: '"a b"' })
 */
export function wordsFor<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): ErrorWords {
  // Only the types know that it is a code.
  if (!Object.hasOwn(CATALOGUE, code))
    return wordsFor('SIGIL_INTERNAL', { what: `${String(code)} is no code of the catalogue` });
  const { what, fix } = CATALOGUE[code];
  // The type of the values is made of the names that stand in these very texts.
  const [given = {}] = values as readonly Readonly<Record<string, string | number>>[];
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (_all, plain: string | undefined, name: string) =>
      plain === undefined ? String(given[name]) : `{${plain}}`,
    );
  return { code, what: fill(what), fix: fill(fix) };
}
