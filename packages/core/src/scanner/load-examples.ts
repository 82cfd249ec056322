/** Loads what only entries need that have facts: most servers have none. */
import type * as Examples from './with-examples';

/** Gives the function that checks the examples of one entry, and puts them into its plan. */
export function loadExamples(): typeof Examples.withExamples {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  return (require('./with-examples') as typeof Examples).withExamples;
}
