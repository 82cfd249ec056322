/** The port for classes that say too little: a server warns of them, or refuses them. */
import type { DefinitionProblem } from '@sigil-mcp/base';

/** Receives what of a class had to be guessed. */
export interface ClassWarnings {
  /** True: such classes are refused; 'warn': they are accepted, and so are classes that would be refused otherwise. */
  readonly strict: boolean | 'warn';
  /** Adds a property that says too little. */
  add(problem: DefinitionProblem): void;
  /** Warns of all that were added; later ones are reported at once. */
  warn(): void;
  /** Warns of a class that is no longer as it was stored in the bundle of the program. */
  tellStale(problem: DefinitionProblem): void;
}
