/** Options of entries that exist because of an extension: `@Tool('...', { view: 'chart' })`. */
import type { ErrorWords } from '@sigil-mcp/base';
import type { FactValue } from '../context/entry-facts';
import type { Fact } from '../decorators/create-fact';

/** The kinds of entries that decorators and data define. */
export type OptionKind = 'tool' | 'resource' | 'prompt';

/** An option of decorators and data, made by `entryOption`. */
export interface EntryOption {
  readonly kind: OptionKind;
  readonly name: string;
  /** Its fact, which reads what an entry says. */
  readonly fact: Pick<Fact<unknown>, 'of'>;
  /** The value of the fact for an option; undefined if it is not valid, which was reported. */
  readonly factOf: (value: unknown, report: (words: ErrorWords) => void) => FactValue | undefined;
}

/** An option of one kind of entries. */
export interface EntryOptionInit<T> {
  readonly kind: OptionKind;
  /** Its name among the options. No option of the protocol has it. */
  readonly name: string;
  /** The fact with the value, which guards and the extension read. */
  readonly fact: Fact<T>;
  /** Reads what the author gave; JavaScript, or a cast, may pass any value. Returns undefined for a value that it reports. */
  readonly read: (value: unknown, report: (words: ErrorWords) => void) => T | undefined;
}

/**
 * Adds an option to a decorator and its function. Declare its type for the compiler in the interface of the options, which is `ToolOptions`
 * for tools.
 * @example
 * declare module '@sigil-mcp/core' {
 *   interface ToolOptions {
 *     readonly team?: string;
 *   }
 * }
 * const TEAM = entryOption({ kind: 'tool', name: 'team', fact: Team, read: (value) => String(value) });
 */
export function entryOption<T>({ kind, name, fact, read }: EntryOptionInit<T>): EntryOption {
  return {
    kind,
    name,
    fact,
    factOf(value, report) {
      const found = read(value, report);
      return found === undefined ? undefined : fact.with(found);
    },
  };
}
