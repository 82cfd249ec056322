/** Makes the entries of a server functions of a client. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type * as UrlTemplate from 'url-template';
import { allPages, type CursorPage } from '../client/all-pages';
import { clientError } from '../errors';
import { objectOf, readJson } from '../json';
import type { ServerApi } from './server-api';
import type { CallTypes, TypedCalls } from './typed-calls';

/** The methods of a client that the functions call. */
export interface CallingClient {
  callTool(name: string, args: JsonObject, options?: object): Promise<object>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, options?: object): Promise<object>;
  readResource(uri: string, options?: object): Promise<object>;
  listResources(params: { readonly cursor?: string }): Promise<CursorPage & { readonly resources: readonly ListRow[] }>;
  listResourceTemplates(params: {
    readonly cursor?: string;
  }): Promise<CursorPage & { readonly resourceTemplates: readonly ListRow[] }>;
}

/** A resource or a template, as far as it is needed to find it. */
interface ListRow {
  readonly name: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** A value that may be passed as an argument. */
type ArgumentValues = Readonly<Record<string, unknown>>;

/** The entries of a server, each as a function of this client. */
export function typedCalls<A extends ServerApi, C extends CallTypes>(client: CallingClient): TypedCalls<A, C> {
  const uris = new ResourceUris(client);
  const calls: Readonly<Record<keyof ServerApi, unknown>> = {
    tools: functions(async (name, args, options) =>
      readToolAnswer(await client.callTool(name, jsonOf(args) as JsonObject, options)),
    ),
    prompts: functions((name, args, options) => client.getPrompt(name, textsOf(args), options)),
    resources: functions(async (name, args, options) => {
      const uri = await uris.of(name, args);
      return readResourceAnswer(uri, await client.readResource(uri, options));
    }),
  };
  // The types promise a function for each entry of the server, and every name has one.
  return calls as unknown as TypedCalls<A, C>;
}

/** An object that has a function for every name. A promise must not take it for another promise. */
function functions(call: (name: string, args: ArgumentValues, options?: object) => Promise<unknown>): object {
  const none = Object.freeze({ __proto__: null });
  return new Proxy(none, {
    get: (_none, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (args: ArgumentValues = {}, options?: object) => call(name, args, options),
  });
}

/** Arguments as they are sent: a date is a text, and what is undefined is left out. */
function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

function textsOf(args: ArgumentValues): Record<string, string> {
  const given = Object.entries(objectOf(jsonOf(args)));
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function readToolAnswer(result: object): object {
  const { content, structuredContent, isError } = result as JsonObject;
  const text = textIn(content);
  if (isError === true) return { isError: true, data: undefined, text, result };
  return { isError: false, data: structuredContent ?? dataIn(content), text, result };
}

/** Before 2025-06-18, data is one text. */
function dataIn(content: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const data = readJson(textIn(content));
  return isObject(data) || Array.isArray(data) ? data : undefined;
}

function readResourceAnswer(uri: string, result: object): object {
  const { contents } = result as JsonObject;
  const [first] = listOf(contents);
  const { mimeType, text } = objectOf(first);
  const isJson = typeof mimeType === 'string' && /^application\/(?:[^;]+\+)?json\b/i.test(mimeType);
  const data = isJson && typeof text === 'string' ? readJson(text) : undefined;
  return { uri, text: textIn(contents), data, result };
}

function textIn(parts: JsonValue | undefined): string {
  const texts = listOf(parts).map((part) => objectOf(part)['text']);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** The URIs of resources, by the names that a server lists. */
class ResourceUris {
  #known: Promise<ReadonlyMap<string, ListRow>> | undefined;

  constructor(private readonly client: CallingClient) {}

  /** The URI of a resource, with the variables of its template. */
  async of(name: string, variables: ArgumentValues): Promise<string> {
    const isUri = /^[a-z][a-z0-9+.-]*:/i.test(name);
    if (isUri) return expand(name, variables);
    const listed = (await this.#list()).get(name) ?? (await this.#list(true)).get(name);
    if (listed) return listed.uri ?? expand(listed.uriTemplate ?? '', variables);
    const known = [...(await this.#list()).keys()].map((each) => JSON.stringify(each)).join(', ') || 'none';
    throw clientError('SIGIL_CLIENT_RESOURCE_NAME', { name: JSON.stringify(name), known });
  }

  /** What the server lists; once, unless something is missing in it. */
  #list(isAgain = false): Promise<ReadonlyMap<string, ListRow>> {
    if (!this.#known || isAgain) {
      this.#known = listAll(this.client);
      this.#known.catch(() => (this.#known = undefined));
    }
    return this.#known;
  }
}

async function listAll(client: CallingClient): Promise<ReadonlyMap<string, ListRow>> {
  const found = new Map<string, ListRow>();
  for await (const page of allPages('resources/list', (params) => client.listResources(params)))
    for (const each of page.resources) if (!found.has(each.name)) found.set(each.name, each);
  for await (const page of allPages('resources/templates/list', (params) => client.listResourceTemplates(params)))
    for (const each of page.resourceTemplates) if (!found.has(each.name)) found.set(each.name, each);
  return found;
}

function expand(template: string, variables: ArgumentValues): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an ES module, which only templates need
  const { parseTemplate } = require('url-template') as typeof UrlTemplate;
  // What a template cannot hold is expanded to nothing, and the server refuses the URI.
  return parseTemplate(template).expand(objectOf(jsonOf(variables)) as Parameters<UrlTemplate.Template['expand']>[0]);
}
