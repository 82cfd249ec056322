/** The members of data that describes an entry, of any kind. */
import type { McpContext } from '../context/mcp-context';
import type { GuardReference, InterceptorReference } from '../decorators/create-fact';
import type { FactValue } from '../context/entry-facts';
import type { MaybePromise } from '@sigil-mcp/base';
import type { PolicyOptions } from './read-policy';

/**
 * Suggests values for an argument, as a method with `@Complete` does.
 * @param prefix the typed text
 * @param context with the arguments that were filled in before: `context.completion?.arguments`
 * @returns values, best first; at most 100 are sent
 */
export type CompleteArgument = (prefix: string, context: McpContext) => MaybePromise<readonly string[]>;

/** Argument -> the function that completes it. */
export type Completions = Readonly<Record<string, CompleteArgument>>;

/** The members that the data of every kind of entry has. */
export interface EntryDataBase extends PolicyOptions {
  /** Guards that are called after those of the server; none if left out. A guard class is built at start. */
  readonly guards?: readonly GuardReference[];
  /** Interceptors around the handler, the first outermost; none if left out. An interceptor class is built at start. */
  readonly interceptors?: readonly InterceptorReference[];
  /** Values of facts made with `createFact`; none if left out. @example facts: [Team.with('billing')] */
  readonly facts?: readonly FactValue[];
  /**
   * Answers the calls; it may return the same values as a decorated method.
   * @param input an instance of the input class, or the arguments that a raw schema accepted; undefined without an input
   */
  // The handler knows the type of its own input class; the registry cannot.
  readonly handler: (input: never, context: McpContext) => unknown;
}

/** The names of all members of `T`. */
export type Names<T> = Readonly<Record<keyof T, true>>;

/** Members of the data of every kind. */
export const DATA_MEMBERS = {
  kind: true,
  name: true,
  title: true,
  description: true,
  handler: true,
  input: true,
  guards: true,
  interceptors: true,
  facts: true,
  scopes: true,
  public: true,
  asks: true,
  icons: true,
  meta: true,
} as const;

/** Members of data that a decorator takes as its first argument, reads from the method, or leaves to another decorator. */
const NOT_OPTIONS: ReadonlySet<string> = new Set([
  ...['kind', 'handler', 'uri', 'list', 'complete'],
  ...['guards', 'interceptors', 'scopes', 'public', 'facts'],
]);

/** The options of a decorator: what the data of the same entry has, without what is written elsewhere. @param others its own first argument */
export function optionsOf(names: object, ...others: readonly string[]): ReadonlySet<string> {
  const options = new Set<string>();
  // A loop, because it runs when the package is loaded: a function for each name is a call more.
  for (const name of Object.keys(names)) if (!NOT_OPTIONS.has(name) && !others.includes(name)) options.add(name);
  return options;
}
