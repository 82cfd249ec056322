/** `defineModule`: a module of a server, often from a package. */
import type { Provider } from '../container/provider';
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { FeatureSource } from '../kinds/entry-data';
import type { PolicyOptions } from '../members/read-policy';

/** A module of a server: features with their dependencies, optionally under a name of its own. */
export interface Module extends PolicyOptions {
  /** Its name in messages; its prefix, or its place among the modules, if left out. */
  readonly name?: string;
  /** Its entries: classes with `@Feature`, and the results of `tool`, `resource` and `prompt`; none if left out. */
  readonly features?: readonly FeatureSource[];
  /**
   * Providers of dependencies, for every class of the server. A provider of `createServer({ providers })` replaces one with the same token.
   * None if left out.
   */
  readonly providers?: readonly Provider[];
  /** Guards for its own entries, called after those of the server and before those of classes and methods; none if left out. */
  readonly guards?: readonly GuardReference[];
  /** Interceptors around the handlers of its own entries, outside of those of classes and methods; none if left out. */
  readonly interceptors?: readonly InterceptorReference[];
  /**
   * The prefix of the names of its tools and prompts: `search` becomes `books_search` under `books`. URIs stay unchanged. No prefix if
   * left out.
   */
  readonly prefix?: string;
  /** Modules within it, to which its prefix, guards, interceptors and scopes apply as well; none if left out. */
  readonly modules?: readonly Module[];
}

/**
 * Defines a module, to be put into `createServer({ modules })` or into another module. It is a plain value: it has no effect before a
 * server is made with it, and several servers may use it.
 * @returns its argument
 * @example
 * export const books = defineModule({ prefix: 'books', features: [BooksFeature], providers: [BookShelf], guards: [WithCard] });
 * const server = createServer({ name: 'library', version: '1.0.0', modules: [books] });
 */
export function defineModule<const M extends Module>(module: M): M {
  return module;
}
