/** `createFact`: a decorator of your own, whose values guards, interceptors and extensions read. */
import type { EntryFacts } from '../context/entry-facts';
import type { AnyFact, FactValue } from '../context/fact-values';
import { addClassOrMemberFact, factKind } from '@sigil-mcp/base/facts';

/** The values that facts of authors have for classes and methods. */
export const AUTHOR_FACTS = factKind<FactValue>('author facts');

/** The options of a fact. */
export interface FactOptions {
  /** Its name in error messages; `a fact` if left out. */
  readonly label?: string;
  /** The extension that it belongs to: using it on a server without the extension is a definition error. None if left out. */
  readonly extension?: string;
}

/** A fact about entries: a decorator for classes and methods, and the way to read what it wrote. `T` is the type of its values. */
export interface Fact<T> extends AnyFact {
  /** Decorates a class, for all of its entries, or a method. */
  (value: T): ClassDecorator & MethodDecorator;
  /** The value for an entry: that of the method, or else that of its class; undefined if neither has the fact. */
  of(entry: Pick<EntryFacts, 'facts'> | undefined): T | undefined;
  /** All values for an entry: those of the class first, then those of the method. */
  allOf(entry: Pick<EntryFacts, 'facts'> | undefined): readonly T[];
  /** A value for an entry that is a function or data: `facts: [Team.with('billing')]`. */
  with(value: T): FactValue;
}

/**
 * Makes a fact: a decorator of your own for classes and methods of features. Guards, interceptors and extensions read it from the entry.
 * The values are read when the server is defined, so that reading them in a call costs a lookup.
 * @example
 * export const Team = createFact<string>({ label: 'Team' });
 *
 * ```@Tool('Closes an account') @Team('billing') close(account: Account) { ... }```
 *
 * class TeamGuard implements Guard {
 *   allows({ caller }: Access, entry: EntryFacts): Verdict {
 *     const team = Team.of(entry);
 *     return team === undefined || caller.hasRole(team);
 *   }
 * }
 */
export function createFact<T>({ label = 'a fact', extension }: FactOptions = {}): Fact<T> {
  const fact: Fact<T> = Object.assign(
    (value: T) =>
      (target: object, member?: string | symbol): void =>
        addClassOrMemberFact(AUTHOR_FACTS, target, member, { fact, value }),
    {
      label,
      extension,
      of: (entry: Pick<EntryFacts, 'facts'> | undefined) => fact.allOf(entry).at(-1),
      // Only this fact writes values under itself.
      allOf: (entry: Pick<EntryFacts, 'facts'> | undefined) => (entry?.facts?.get(fact) ?? []) as readonly T[],
      with: (value: T): FactValue => ({ fact, value }),
    },
  );
  return fact;
}
