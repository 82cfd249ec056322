/** The address of an API, as its document says. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../../json-object';

/**
 * The first server, with the defaults of its variables; relative to the address of the document.
 * @param document its URL; a file says nothing about the host
 * @returns without a slash at its end; undefined if the document does not say it
 */
export function serverUrl(root: LooseObject, document: URL): string | undefined {
  const { servers } = root;
  const written = firstServer(servers);
  if (written === undefined) return document.protocol === 'file:' ? undefined : withoutSlash(document.origin);
  try {
    const base = document.protocol === 'file:' ? undefined : document;
    const url = new URL(written, base);
    if (!/^https?:$/.test(url.protocol)) return undefined;
    url.search = '';
    url.hash = '';
    url.username = '';
    url.password = '';
    return withoutSlash(url.href);
  } catch {
    return undefined;
  }
}

/** The first server of a list, with the defaults of its variables; undefined if the list is empty. */
export function firstServer(servers: unknown): string | undefined {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isObject(first) || typeof first['url'] !== 'string') return undefined;
  const variables = isObject(first['variables']) ? first['variables'] : {};
  return first['url'].replace(/\{([^{}]*)\}/g, (whole: string, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
