/** `createFact`: a decorator of your own, whose values guards, interceptors and extensions read. */
import { OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/base';
import { addClassOrMemberFact, classFacts, factKind, factsByMember } from '@sigil-mcp/base/facts';
import type { Constructor } from '../container/provider';
import type { Guard, Interceptor } from '../context/call';
import type { AnyFact, EntryFacts, FactValue } from '../context/entry-facts';

/** The values that facts of authors have for classes and methods. */
export const AUTHOR_FACTS = factKind<FactValue>('author facts');

/** The options of a fact. */
export interface FactOptions {
  /** Its name in error messages; `a fact` if left out. */
  readonly label?: string;
  /** The extension that it belongs to: using it on a server without the extension is a definition error. None if left out. */
  readonly extension?: string;
  /**
   * Whether it may decorate methods and properties that are no entries, and whether a class with only such facts is a feature, for an extension
   * that reads classes; false if left out.
   */
  readonly standsAlone?: boolean;
}

const OPTIONS: Readonly<Record<keyof FactOptions, OptionRule>> = {
  label: OPTION_RULES.anyText,
  extension: OPTION_RULES.text,
  standsAlone: OPTION_RULES.flag,
};

/** A fact about entries: a decorator for classes and methods, and the way to read what it wrote. `T` is the type of its values. */
export interface Fact<T> extends AnyFact {
  /** Decorates a class, for all of its entries, or a method; a property with `standsAlone`, or if another decorator makes it an entry. */
  (value: T): ClassDecorator & MethodDecorator & PropertyDecorator;
  /** The value for an entry: that of the method, or else that of its class; undefined if neither has the fact. */
  of(entry: Pick<EntryFacts, 'facts'> | undefined): T | undefined;
  /** All values for an entry: those of the class first, then those of the method. */
  allOf(entry: Pick<EntryFacts, 'facts'> | undefined): readonly T[];
  /** The values that are written on a class itself. */
  ofClass(feature: Constructor): readonly T[];
  /** The values that are written on the methods and properties of a class, by their names. */
  ofMembers(feature: Constructor): ReadonlyMap<string, readonly T[]>;
  /** A value for an entry that is a function or data: `facts: [Team.with('billing')]`. */
  with(value: T): FactValue;
}

/**
 * Makes a fact: a decorator of your own for classes and methods of features. Guards, interceptors and extensions read it from the entry.
 * The values are read when the server is defined, so that reading them in a call costs a lookup.
 * @throws DefinitionError for options that do not exist or are of the wrong kind
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
export function createFact<T>(options: FactOptions = {}): Fact<T> {
  requireOptions('createFact', options, OPTIONS);
  const { label = 'a fact', extension, standsAlone = false } = options;
  // Only this fact writes values under itself.
  const own = (values: readonly FactValue[]): readonly T[] =>
    values.filter((each) => each.fact === fact).map(({ value }) => value as T);
  const fact: Fact<T> = Object.assign(
    (value: T) =>
      (target: object, member?: string | symbol): void =>
        addClassOrMemberFact(AUTHOR_FACTS, target, member, { fact, value }),
    {
      label,
      extension,
      standsAlone,
      of: (entry: Pick<EntryFacts, 'facts'> | undefined) => fact.allOf(entry).at(-1),
      // Only this fact writes values under itself.
      allOf: (entry: Pick<EntryFacts, 'facts'> | undefined) => (entry?.facts?.get(fact) ?? []) as readonly T[],
      ofClass: (feature: Constructor) => own(classFacts(AUTHOR_FACTS, feature)),
      ofMembers: (feature: Constructor) =>
        new Map(
          [...factsByMember(AUTHOR_FACTS, feature)]
            .map(([member, values]) => [member, own(values)] as const)
            .filter(([, values]) => values.length > 0),
        ),
      with: (value: T): FactValue => ({ fact, value }),
    },
  );
  return fact;
}

// `@UseGuards` and `@UseInterceptors`: what runs before and around the methods of a class, or one of them.

/** A guard, or a guard class, which the container builds. */
export type GuardReference = Guard | Constructor<Guard>;

/** Guards of a class or a method. */
export const GUARDS = factKind<readonly GuardReference[]>('guards');

/** An interceptor, or an interceptor class, which the container builds. */
export type InterceptorReference = Interceptor | Constructor<Interceptor>;

/** Interceptors of a class or a method. */
export const INTERCEPTORS = factKind<readonly InterceptorReference[]>('interceptors');

/**
 * Wraps interceptors around calls; they run after the input was read. Those of the class are outside those of the method.
 * @param interceptors the first is the outermost; a class is built by the container
 * @example
 * ```@UseInterceptors(Cached)```
 */
export function UseInterceptors(
  ...interceptors: readonly InterceptorReference[]
): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void =>
    addClassOrMemberFact(INTERCEPTORS, target, member, interceptors);
}

/**
 * Puts guards before every call, and makes them filter lists. Those of the class are called first, after those of the server.
 * @param guards called in this order; a class is built by the container
 * @example
 * ```@UseGuards(Roles('admin'))```
 */
export function UseGuards(...guards: readonly GuardReference[]): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void => addClassOrMemberFact(GUARDS, target, member, guards);
}
