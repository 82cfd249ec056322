/** The addresses in a document: that of the API, and those of operations with servers of their own. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';

/** Stands for the host that a file does not say, where addresses are compared. */
const UNKNOWN_HOST = 'http://unknown.invalid';

/**
 * The first server, with the defaults of its variables; relative to the address of the document.
 * @param document its URL; a file says nothing about the host
 * @returns without a slash at its end; undefined if the document does not say it
 */
export function serverUrl(root: LooseObject, document: URL): string | undefined {
  const written = firstServer(root['servers']) ?? serverOfPaths(root, document);
  if (written === undefined) return document.protocol === 'file:' ? undefined : withoutSlash(document.origin);
  const address = addressOf(written, document);
  return address?.startsWith(UNKNOWN_HOST) === true ? undefined : address;
}

/** The addresses of a list of servers, for comparison; empty if it names none. */
export function addressesOf(servers: unknown, document: URL): string[] {
  return listOf(servers).flatMap((server) => addressOf(writtenUrl(server), document) ?? []);
}

/** Every path has servers of its own in some documents, and the document has none: what most paths say is the API. */
function serverOfPaths({ paths }: LooseObject, document: URL): string | undefined {
  const items = isObject(paths) ? Object.values(paths).filter(isObject) : [];
  const written = items.map(({ servers }) => firstServer(servers));
  const counts = new Map<string, number>();
  for (const each of written) {
    const address = each === undefined ? undefined : addressOf(each, document);
    if (address === undefined) return undefined;
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}

/** An address without credentials, query and a slash at its end; undefined if its protocol is not HTTP. */
function addressOf(written: string | undefined, document: URL): string | undefined {
  if (written === undefined) return undefined;
  try {
    const url = new URL(written, document.protocol === 'file:' ? UNKNOWN_HOST : document);
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
function firstServer(servers: unknown): string | undefined {
  return writtenUrl(listOf(servers)[0]);
}

function writtenUrl(server: unknown): string | undefined {
  if (!isObject(server) || typeof server['url'] !== 'string') return undefined;
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return server['url'].replace(/\{([^{}]*)\}/g, (whole: string, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

function listOf(servers: unknown): readonly unknown[] {
  return Array.isArray(servers) ? (servers as unknown[]) : [];
}

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
