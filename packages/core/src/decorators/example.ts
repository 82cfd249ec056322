/** `@Example`: one call of an entry, for models and people who call it for the first time. */
import type { FactValue } from '../context/entry-facts';
import { createFact, type Fact } from './create-fact';

/** One call, and what comes of it. */
export interface EntryExample {
  /** The arguments, as a client sends them: JSON, and for prompts and templates texts. */
  readonly args: object;
  /** What the call does, or when to make it, in a sentence. */
  readonly says: string;
}

/** The decorator, and the way to give examples to an entry that is a function. */
export interface ExampleDecorator {
  /** Adds an example to a tool, a prompt or a template. */
  (example: EntryExample): MethodDecorator;
  /** An example for an entry that is a function: `facts: [Example.with({ args, says })]`. */
  with(example: EntryExample): FactValue;
}

/** Reads the examples of an entry; those of a class are not there, because entries have different arguments. */
export const EXAMPLES: Fact<EntryExample> = createFact<EntryExample>({ label: 'Example' });

/**
 * An example of a call: clients see its arguments in the schema of a tool (`examples`), `sigil inspect` and the page of `sigil dev` show it.
 * It is checked at start by the class of the arguments, so that it stays right. A method may have several. Validators that
 * are asynchronous do not check it.
 * @throws DefinitionError at start, for arguments that a call would refuse
 * @example
 * ```@Tool('Finds a book') @Example({ args: { title: 'Emma' }, says: 'Finds a novel by its title.' }) find(query: BookQuery): Book { ... }```
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-9.5
 */
export const Example: ExampleDecorator = EXAMPLES;
