/** `@Resource`: makes a method return the contents of a resource, or of every resource under a template. */
import type { Annotations, CacheHints, Icon, Meta } from '@sigil-mcp/protocol';
import { addMemberFact, factKind } from '@sigil-mcp/base/facts';
import type { FormSource, SchemaSource } from '@sigil-mcp/schema';
import type { HandlerOf, MethodDecoratorOf } from './method-decorator';
import type { Caller } from '../context/caller';
import type { McpContext } from '../context/mcp-context';
import type { Listed, PageRequest } from '../registry/listed-resource';
import type { MaybePromise } from '@sigil-mcp/base';

/** Written by `@ListTemplate`. */
interface ListTemplateFact {
  readonly target: string;
}

/** A method that lists everything or a page, and may use the context of the call. */
type ListHandler = ListFor<McpContext> | ListFor<Caller>;

type ListFor<T> =
  ((of: T, page: PageRequest) => MaybePromise<Listed>) | ((page: PageRequest, of: T) => MaybePromise<Listed>);

/** The lists of a class. */
export const LIST_TEMPLATE = factKind<ListTemplateFact>('list-template');

/** The options of a resource, in addition to its URI. */
export interface ResourceOptions {
  /** The name that clients show; the method's name if left out. */
  readonly name?: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /** Its content, described for the model; none if left out. */
  readonly description?: string;
  /**
   * MIME type of its contents; if left out `text/plain`, `application/octet-stream` or `application/json`, by the data.
   * @example mimeType: 'text/markdown'
   */
  readonly mimeType?: string;
  /**
   * Class of a template's variables, if the compiler emits no parameter types, or a schema in place of a class; the type of the parameter
   * if left out.
   */
  readonly input?: SchemaSource;
  /** Size of its contents in bytes, not for templates; unknown if left out. */
  readonly size?: number;
  /**
   * Its audience, its priority, and when it changed; none if left out.
   * @example annotations: { audience: ['assistant'], priority: 0.8, lastModified: '2026-07-28T12:00:00Z' }
   */
  readonly annotations?: Annotations;
  /** How long its contents may be cached, and by which caches; the server's setting if left out. */
  readonly cache?: CacheHints;
  /**
   * Whether `resources/list` leaves it out, and `resources/templates/list` if it is a template; false if left out. Clients that know its URI
   * read it and subscribe to it as ever. The list of a template lists what is under it also if the template itself is left out.
   */
  readonly unlisted?: boolean;
  /**
   * The forms that it may ask users to fill in: mistakes in them are found when the server starts, not when a question is asked. None if
   * left out.
   */
  readonly asks?: readonly FormSource[];
  /** Pictures that clients show for it; none if left out. */
  readonly icons?: readonly Icon[];
  /** Its `_meta` in lists; none if left out. */
  readonly meta?: Meta;
}

/** Written by `@Resource`. */
export interface ResourceFact {
  readonly uri: string;
  readonly options: ResourceOptions;
}

/** The resources and templates of a class. */
export const RESOURCE = factKind<ResourceFact>('resource');

/**
 * Makes a method return the contents of a resource. A URI with `{variables}` is an RFC 6570 template, whose variables are read
 * into the method's input class. Strings become text, bytes a blob, other data JSON as in the result of a tool; undefined
 * means that the resource does not exist.
 *
 * Templates may use all of the RFC that is unambiguous in a URI. `{name:3}` is a text of up to three characters. An exploded variable
 * (`{/path*}`, `{?tags*}`) is always a list: its property is an array, of strings or of values that strings can be converted to.
 *
 * Clients write these URIs, so the values of variables are as trustworthy as the clients are. Values are decoded, once: `{file}` may be
 * `../secret`, written as `..%2Fsecret`, and `{+path}` may contain an unencoded `..`. A method that touches files must resolve the path
 * and check that it is still in its folder.
 * @param uri an absolute URI, or an RFC 6570 template of one
 * @example
 * ```@Resource('weather://{city}/today', { mimeType: 'application/json' }) today({ city }: City) { ... }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function Resource<const I extends SchemaSource = never>(
  uri: string,
  options: Omit<ResourceOptions, 'input'> & {
    /** Class of a template's variables, or a schema in place of a class; the type of the parameter if left out. */
    readonly input?: I;
  } = {},
): MethodDecoratorOf<HandlerOf<I, unknown>> {
  return (prototype, member) => addMemberFact(RESOURCE, prototype, member, { uri, options });
}

/**
 * Makes a method list resources under a template, so that `resources/list` has them after the other resources. It may take the context,
 * the caller, or the requested `PageRequest`. It returns an array of `{ variables }`, with which the template is expanded, or `{ uri }`,
 * which must match it; or a page of them, `{ resources, nextCursor }`. Members that a listed resource leaves out, such as its name, are
 * taken from the template. Guards that hide the template hide its list. If the method throws, the error is logged, and `resources/list`
 * is answered without its part.
 * @param target the template's method in the same class
 * @example
 * ```@ListTemplate('today') cities() { return this.api.cities().map((city) => ({ variables: { city }, name: city })); }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function ListTemplate(target: string): MethodDecoratorOf<ListHandler> {
  return (prototype, member) => addMemberFact(LIST_TEMPLATE, prototype, member, { target });
}
