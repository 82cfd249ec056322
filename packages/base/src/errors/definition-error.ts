/**
 * The problems of a server's definition, found before it starts. The scanner, the schema compiler and the container
 * collect problems; `createServer` throws them all at once.
 */
import { ERROR_PAGES, errorPage, type ErrorWords } from './sigil-error';

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
