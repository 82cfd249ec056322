/** The errors of one package: their texts, and the functions that make them. Each package of Sigil has its own, and so may a package of others. */
import type { DefinitionProblem } from './definition-error';
import {
  SigilError,
  type CatalogueEntries,
  fillWords,
  type CodeOf,
  type ErrorWords,
  type ValuesOf,
} from './sigil-error';

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
