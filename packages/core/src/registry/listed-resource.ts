/** What the author lists under a template -> resources as clients see them. */
import type { Annotations, Icon, Meta, Resource, ResourceTemplate } from '@sigil-mcp/protocol';
import type { McpContext } from '../context/mcp-context';
import { sigilError, type SigilError } from '../errors/sigil-error';
import type { MaybePromise } from '../values/maybe-promise';
import { isAbsoluteUri } from './absolute-uri';
import type { ExpandableVariables, UriTemplate } from './uri-templates/uri-template';

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

/** Lists what is worth listing under a template, for one caller. */
export type ListResources = (context: McpContext) => MaybePromise<readonly ListedResource[]>;

/** Reads what the author returned; throws a `SigilError` for what cannot be listed under the template. */
export function readListed(value: unknown, words: ResourceTemplate, template: UriTemplate): readonly Resource[] {
  if (!Array.isArray(value)) throw sigilError('SIGIL_LIST_OUTPUT', { template: template.template });
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
