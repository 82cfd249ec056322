/** A document of OpenAPI 3.0 or 3.1: fetched, parsed, and made whole. Where the way of `sigil add openapi` begins. */
import { isObject } from '@sigil-mcp/base';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import { failure } from '../errors';
import { bundleFiles } from './bundle-files';
import { fetchText, shownUrl } from './fetch-text';
import { parseDocument } from './parse-document';
import { Pointers } from './pointers';
import { serverUrl } from './server-url';

/** A document with everything that it refers to. */
export interface ApiDocument {
  readonly url: URL;
  readonly title: string;
  readonly version: string;
  /** Where the API is; undefined if the document does not say it. */
  readonly server: string | undefined;
  readonly root: LooseObject;
  readonly pointers: Pointers;
  /** Changes whenever the document changes. */
  readonly digest: string;
}

/** The URL of a document, from what was typed. @param folder that relative paths begin in */
export function documentUrl(typed: string, folder: string): URL {
  return /^https?:\/\//i.test(typed) ? new URL(typed) : pathToFileURL(resolve(folder, typed));
}

/**
 * Reads a document.
 * @param server the address of the API, instead of that in the document
 * @throws CliFailure if it cannot be read, or is no document of OpenAPI 3
 */
export async function readDocument(url: URL, server: string | undefined, signal: AbortSignal): Promise<ApiDocument> {
  const text = await fetchText(url, signal);
  const shown = shownUrl(url);
  const own = parseDocument(text, shown);
  checkVersion(own, shown);
  const root = await bundleFiles(own, url, signal);
  const info = isObject(root['info']) ? root['info'] : {};
  return {
    url,
    title: textOf(info['title']),
    version: textOf(info['version']),
    server: server ?? serverUrl(root, url),
    root,
    pointers: new Pointers(root),
    digest: createHash('sha256').update(JSON.stringify(root)).digest('hex'),
  };
}

function checkVersion(root: LooseObject, document: string): void {
  const { openapi, swagger } = root;
  if (typeof openapi === 'string' && /^3\.[0-2]\b/.test(openapi)) return;
  const said = typeof openapi === 'string' ? `OpenAPI ${openapi}` : undefined;
  const old = swagger === undefined ? undefined : 'Swagger 2.0';
  throw failure('SIGIL_OPENAPI_VERSION', { document, said: said ?? old ?? 'no version of OpenAPI' });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
