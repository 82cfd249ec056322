/** `defineModule`: a part of a server, as a package brings it. */
import type { Provider } from '../container/provider';
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { FeatureSource } from './entry-data';
import type { PolicyOptions } from './read-policy';

/** A part of a server: features with what they need, under a name of their own. */
export interface Module extends PolicyOptions {
  /** What messages call it; its prefix, or its place among the modules, if left out. */
  readonly name?: string;
  /** Classes with `@Feature`, and what `tool`, `resource` and `prompt` make: entries of the server; none if left out. */
  readonly features?: readonly FeatureSource[];
  /**
   * What is injected, into every class of the server. What `createServer({ providers })` has under the same token stands in its
   * place. None if left out.
   */
  readonly providers?: readonly Provider[];
  /** Guards for its own entries, asked after those of the server and before those of classes and methods; none if left out. */
  readonly guards?: readonly GuardReference[];
  /** Interceptors around the handlers of its own entries, outside of those of classes and methods; none if left out. */
  readonly interceptors?: readonly InterceptorReference[];
  /**
   * What the names of its tools and prompts begin with, before an underscore: `search` becomes `books_search` under `books`. URIs
   * stay as they are. As the features name them if left out.
   */
  readonly prefix?: string;
  /** Modules within it, to which its prefix, guards, interceptors and scopes apply as well; none if left out. */
  readonly modules?: readonly Module[];
}

/**
 * Defines a part of a server, to be put into `createServer({ modules })` or into another module. It is a value: nothing happens
 * before a server is made with it, and several servers may be.
 * @returns what it was given
 * @example
 * export const books = defineModule({ prefix: 'books', features: [BooksFeature], providers: [BookShelf], guards: [WithCard] });
 * const server = createServer({ name: 'library', version: '1.0.0', modules: [books] });
 */
export function defineModule(module: Module): Module {
  return module;
}
