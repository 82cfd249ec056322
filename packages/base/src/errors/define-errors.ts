/** Errors with a code, and how a package defines its own: their texts, and the functions that make them. So may a package of others. */

/** A mistake of Sigil itself. */
export const INTERNAL_ERROR = {
  SIGIL_INTERNAL: {
    problem: 'Internal error: {what}.',
    fix: 'This is a bug in Sigil. Please report it with the stack trace.',
  },
} as const satisfies CatalogueEntries;

/** The values for the placeholders of an error, if there are any, and the cause of the error. */
type Details<Values extends readonly unknown[]> = Values extends []
  ? [values?: undefined, options?: ErrorOptions]
  : [...Values, options?: ErrorOptions];

/** What makes the errors of a package. A code that it does not have, or a missing value, does not compile. */
export interface DefinedErrors<Entries extends CatalogueEntries> {
  /** The texts, by code. */
  readonly entries: Entries;
  /**
   * Makes an error, to be thrown; `SIGIL_INTERNAL` with the name of the code, if there is no such code.
   * @example throw error('SIGIL_ONCE_RESULT', { key }, { cause });
   */
  readonly error: <Code extends CodeOf<Entries>>(
    code: Code,
    ...details: Details<ValuesOf<Entries[Code]>>
  ) => SigilError;
  /**
   * A mistake in a definition, to be reported.
   * @example report(problem('SIGIL_TOOL_NAME', 'WeatherFeature.forecast', { name: '"a b"' }));
   */
  readonly problem: <Code extends CodeOf<Entries>>(
    code: Code,
    where: string,
    ...values: ValuesOf<Entries[Code]>
  ) => DefinitionProblem;
  /**
   * The sentences of an error, filled in; those of `SIGIL_INTERNAL`, with the name of the code, if there is no such code.
   * @example words('SIGIL_TOOL_NAME', { name: '"a b"' })
   */
  readonly words: <Code extends CodeOf<Entries>>(code: Code, ...values: ValuesOf<Entries[Code]>) => ErrorWords;
}

/**
 * Defines errors by their codes and texts.
 * @example
 * const { error } = defineErrors({ ACME_NO_KEY: { problem: 'There is no key {id}.', fix: 'Use one of {known}.' } });
 * throw error('ACME_NO_KEY', { id: 'a', known: 'b, c' });
 */
export function defineErrors<const Entries extends CatalogueEntries>(entries: Entries): DefinedErrors<Entries> {
  // The types of the values are derived from the placeholders in the texts, so that here they are just values.
  const words = (code: string, values?: Readonly<Record<string, string | number>>): ErrorWords => {
    const entry = Object.hasOwn(entries, code) ? entries[code] : undefined;
    // Only the types guarantee that it is a code.
    return entry
      ? fillWords(code, entry, values)
      : fillWords('SIGIL_INTERNAL', INTERNAL_ERROR.SIGIL_INTERNAL, { what: `${code} is no code of the catalogue` });
  };
  const error = (code: string, values?: Readonly<Record<string, string | number>>, options?: ErrorOptions) => {
    const made = new SigilError(words(code, values), options);
    // The stack trace should start where the error is thrown, not here.
    Error.captureStackTrace(made, error);
    return made;
  };
  const problem = (code: string, where: string, values?: Readonly<Record<string, string | number>>) => ({
    where,
    ...words(code, values),
  });
  return { entries, error, problem, words };
}

// An error with a code, thrown to the author of the server or the test.

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

/** The errors of one section of docs/errors. */
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
  /** Listed in docs/errors. */
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

// The problems of a server's definition, found before it starts. The scanner, the schema compiler and the container
// collect problems; `createServer` throws them all at once.

/** One mistake in a class, a DTO or an option. */
export interface DefinitionProblem extends ErrorWords {
  /** Class and member: `WeatherFeature.forecast(query)`. */
  readonly where: string;
}

/** Where the rooms that read definitions put what they find, so that one run reports everything. */
export type ReportProblem = (problem: DefinitionProblem) => void;

/** Thrown by `createServer` with every problem of the definition. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly code = 'SIGIL_DEFINITION';
  readonly #problems: readonly DefinitionProblem[];

  /** @param subject what has the problems, as the first words of the message */
  constructor(problems: readonly DefinitionProblem[], subject = 'The server') {
    super(describe(problems, subject));
    this.#problems = problems;
  }

  /** All of them, in the order in which they were found. No own property, because Node would print them below the message. */
  get problems(): readonly DefinitionProblem[] {
    return this.#problems;
  }
}

function describe(problems: readonly DefinitionProblem[], subject: string): string {
  const head =
    problems.length === 1
      ? `${subject} has a definition error:`
      : `${subject} has ${problems.length} definition errors:`;
  const items = problems.map(
    ({ code, where, problem, fix }, index) => `  ${index + 1}. ${where}: ${problem}\n     ${fix} [${code}]`,
  );
  return [head, ...items, pagesOf(problems)].join('\n');
}

/** The line that leads to the explanations. */
function pagesOf(problems: readonly DefinitionProblem[]): string {
  const codes = [...new Set(problems.map(({ code }) => code))];
  const [code = ''] = codes;
  return codes.length === 1 && errorPage(code) !== undefined
    ? `  Explained at ${errorPage(code)}`
    : `  Each code is explained at ${ERROR_PAGES}<code>`;
}
