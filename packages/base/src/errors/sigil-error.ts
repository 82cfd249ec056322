/** An error with a code, thrown to the author of the server or the test. */

/** One reason why a value was refused. */
export interface Failure {
  /** Where in the value: `` (the whole), `city`, `stops[2].city`. */
  readonly path: string;
  /** What is wrong there, in words for a model or a person: `must be at most 14`. */
  readonly message: string;
}

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

/**
 * Two sentences for the author of a server. `{name}` is filled in where the error is made; doubled braces, as in `{{city}}`, are
 * single ones in the sentence, and braces around anything but one word are code.
 */
export interface CatalogueEntry {
  /** What is wrong, one sentence. */
  readonly problem: string;
  /** How to fix it, one sentence, imperative. */
  readonly fix: string;
}

/** Errors by their codes: capital letters with the prefix of their package, such as `SIGIL_TOOL_NAME`. */
export type CatalogueEntries = Readonly<Record<string, CatalogueEntry>>;

/** The errors of one section of docs/errors.md. */
export interface CatalogueGroup {
  readonly title: string;
  /** When they occur, and who receives them. */
  readonly about: string;
  readonly errors: CatalogueEntries;
}

/** Where the pages are; the code follows. */
export const ERROR_PAGES = 'https://sigil-mcp.github.io/sigil/e/';

/**
 * Describes a mistake and how to fix it. All errors have the same class, so a program checks `code` and never a built-in class: a wrong
 * argument is not a `TypeError`, a number out of range not a `RangeError`. Masked for clients.
 * @example if (error instanceof SigilError && error.code === 'SIGIL_ONCE_RESULT') ...
 */
export class SigilError extends Error {
  override readonly name: string = 'SigilError';
  /** Listed in docs/errors.md. */
  readonly code: string;
  /** The address of the page that explains the error, if it has one; Node prints it below the stack trace. */
  declare readonly page?: string;

  /** @param words the text of the error; the message consists of both sentences */
  constructor({ code, problem, fix }: ErrorWords, options?: ErrorOptions) {
    super(`${problem} ${fix}`, options);
    this.code = code;
    const page = errorPage(code);
    if (page !== undefined) this.page = page;
  }
}

/** The address of the page of an error: what it means, how to fix it, and code that causes it. Undefined for the errors of other projects. */
export function errorPage(code: string): string | undefined {
  return code.startsWith('SIGIL_') ? `${ERROR_PAGES}${code}` : undefined;
}

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

/** Every failure with its path, in one line. */
export function describeFailures(failures: readonly Failure[]): string {
  return failures.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
