/** What the author lists under a template -> resources as clients see them. */
import type { Annotations, Icon, Meta, Resource, ResourceTemplate } from '@sigil-mcp/protocol';
import type { McpContext } from '../context/mcp-context';
import { sigilError } from '../errors/catalogue';
import { isObject, type MaybePromise, type SigilError } from '@sigil-mcp/base';
import { isAbsoluteUri } from '../values/normal-uri';
import type { ExpandableVariables, UriTemplate } from './uri-templates/parse-uri-template';

/** What a listed resource may say; the rest is what its template says. */
interface ListedWords {
  readonly name?: string;
  /** The template's only where the name is the template's, too: clients show it in place of the name. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly meta?: Meta;
}

/** One resource under a template: by the variables that the template is expanded with, or by its URI. */
export type ListedResource = ListedWords &
  (
    | { readonly variables: ExpandableVariables; readonly uri?: undefined }
    | { readonly uri: string; readonly variables?: undefined }
  );

/**
 * The page that a list is asked for, given to a method with `@ListTemplate` that has a parameter of this class.
 * @example
 * ```@ListTemplate('book') async books({ cursor, limit }: PageRequest): Promise<ListedResources> { ... }```
 */
export abstract class PageRequest {
  /** What the list itself returned last as `nextCursor`, unread and unchanged by the client; undefined for the first page. */
  abstract readonly cursor: string | undefined;
  /** How many resources there is room for. What goes beyond is not lost: the same page is asked for again, with more room. */
  abstract readonly limit: number;
}

/** A page of what is worth listing under a template. */
export interface ListedResources {
  readonly resources: readonly ListedResource[];
  /** Where the next page begins, in any words of the author's; undefined on the last one. */
  readonly nextCursor?: string | undefined;
}

/** What lists: everything at once, or a page. */
export type Listed = readonly ListedResource[] | ListedResources;

/** Lists what is worth listing under a template, for one caller. */
export type ListResources = (context: McpContext, page: PageRequest) => MaybePromise<Listed>;

/** A page of resources, read. */
export interface ResourcePage {
  readonly resources: readonly Resource[];
  readonly nextCursor: string | undefined;
}

/**
 * Reads the return value of the author's function; throws a `SigilError` for resources that cannot be listed under the template.
 * @param isPaged whether the function receives the requested page
 */
export function readListed(
  value: unknown,
  words: ResourceTemplate,
  template: UriTemplate,
  isPaged: boolean,
): ResourcePage {
  const { resources, nextCursor } = partsOf(value, template, isPaged);
  return { resources: readResources(resources, words, template), nextCursor };
}

function partsOf(value: unknown, { template }: UriTemplate, isPaged: boolean) {
  const unreadable = (reason: string): SigilError => sigilError('SIGIL_LIST_OUTPUT', { template, reason });
  const page: unknown = Array.isArray(value) ? { resources: value } : value;
  if (!isObject(page) || !Array.isArray(page['resources']))
    throw unreadable('it is neither an array nor { resources, nextCursor }');
  const { resources, nextCursor } = page;
  if (nextCursor === undefined) return { resources: resources as unknown[], nextCursor };
  if (typeof nextCursor !== 'string' || nextCursor === '') throw unreadable('its nextCursor is no text');
  if (!isPaged) throw unreadable('it has a nextCursor, but its method has no parameter of the class PageRequest');
  return { resources: resources as unknown[], nextCursor };
}

function readResources(value: readonly unknown[], words: ResourceTemplate, template: UriTemplate): readonly Resource[] {
  return value.map((listed: unknown, index) => {
    if (typeof listed !== 'object' || listed === null) throw unlistable(template, index, 'it is no object');
    // What its members are is the author's promise; the two that a URI depends on are checked.
    return writeResource(listed as ListedResource, words, uriOf(listed as ListedResource, template, index));
  });
}

function uriOf({ uri, variables }: ListedResource, template: UriTemplate, index: number): string {
  if (uri === undefined && variables === undefined)
    throw unlistable(template, index, 'it has neither variables nor a uri');
  const written = uri ?? template.expand(variables);
  if (isAbsoluteUri(written) && template.match(written)) return written;
  throw unlistable(template, index, `the template does not match its URI ${JSON.stringify(written)}`);
}

function unlistable({ template }: UriTemplate, index: number, reason: string): SigilError {
  return sigilError('SIGIL_LIST_ITEM', { index, template, reason });
}

function writeResource(listed: ListedResource, words: ResourceTemplate, uri: string): Resource {
  const { name = words.name, title = listed.name === undefined ? words.title : undefined, size } = listed;
  const { description = words.description, mimeType = words.mimeType, annotations = words.annotations } = listed;
  const { icons = words.icons, meta = words._meta } = listed;
  return {
    uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  };
}
