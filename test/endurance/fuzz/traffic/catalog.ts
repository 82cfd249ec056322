/** What a server offers, as its lists say: valid traffic is about that. */
import type { Schema } from './odd-values';

/** The lists of one server. */
export interface Catalog {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Schema }[];
  readonly prompts: readonly { readonly name: string; readonly arguments?: readonly { readonly name: string }[] }[];
  readonly resources: readonly { readonly uri: string }[];
  readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
}

const METHODS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** The requests for the lists. */
export function catalogRequests(meta: object): object[] {
  return METHODS.map((method, id) => ({ jsonrpc: '2.0', id, method, params: { _meta: meta } }));
}

/** Reads the answers to these requests. */
export function readCatalog(answers: readonly { readonly result?: object }[]): Catalog {
  const catalog = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
  return Object.assign(catalog, ...answers.map(({ result }) => result)) as Catalog;
}
