/** The text of a document or of a file next to it: from the disk, or over HTTP with limits of size and time. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { relative, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf, type CliFailure } from '@sigil-mcp/cli/kit';
import { failure } from '../errors';

/** How long a text may take, and how large it may be. */
export interface FetchLimits {
  /** Milliseconds, redirects included. */
  readonly time: number;
  readonly bytes: number;
}

/** For a document; GitHub's has 13 million bytes. */
export const DOCUMENT_LIMITS: FetchLimits = { time: 60_000, bytes: 64_000_000 };
const MOST_REDIRECTS = 5;

/**
 * Reads a text. A server may redirect on its own origin only.
 * @param url `file:`, `http:` or `https:`
 * @throws CliFailure if it cannot be read, or is too large
 */
export async function fetchText(url: URL, signal: AbortSignal, limits = DOCUMENT_LIMITS): Promise<string> {
  const { time, bytes } = limits;
  if (url.protocol === 'file:') return readLocal(url, bytes);
  // Node 20 collects a timeout that only another signal refers to, and it never ends: the catch below refers to this one.
  const late = AbortSignal.timeout(time);
  try {
    return await download(url, AbortSignal.any([signal, late]), bytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === 'CliFailure') throw error;
    throw unreadable(url, late.aborted ? `it did not arrive within ${time / 1000} seconds` : causeOf(error));
  }
}

/**
 * Refuses a file that a document names, and that does not lie below the folder of the document.
 * @throws CliFailure
 */
export function checkBelow(url: URL, document: URL, written: string): void {
  const folder = new URL('.', document);
  const isBelow =
    folder.protocol === 'file:'
      ? url.protocol === 'file:' && url.host === '' && isBelowOnDisk(fileURLToPath(url), fileURLToPath(folder))
      : url.origin === folder.origin && url.pathname.startsWith(folder.pathname) && !/%2f|%5c/i.test(url.pathname);
  if (!isBelow) throw failure('SIGIL_OPENAPI_OUTSIDE', { reference: written, folder: shownUrl(folder) });
}

/** Refuses a document that consists of more than it may. @throws CliFailure */
export function refuseDocument(url: URL, reason: string): never {
  throw unreadable(url, reason);
}

/** A location for users: a path, or a URL without its credentials. */
export function shownUrl(url: URL): string {
  return url.protocol === 'file:' ? fileURLToPath(url) : withoutCredentials(url).href;
}

function withoutCredentials(url: URL): URL {
  const plain = new URL(url);
  plain.username = plain.password = '';
  return plain;
}

/** What a server receives of the user name and the password in a URL; nothing without them. */
function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
}

/** Links are followed first: the name of a file may lie below the folder, and the file elsewhere. */
function isBelowOnDisk(path: string, folder: string): boolean {
  const real = (name: string): string => {
    try {
      return realpathSync(name);
    } catch {
      return name;
    }
  };
  const way = relative(real(folder), real(path));
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

function readLocal(url: URL, most: number): string {
  const path = fileURLToPath(url);
  try {
    if (statSync(path).size > most) throw tooLarge(url, most);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && error.name === 'CliFailure') throw error;
    throw unreadable(url, reasonOf(error));
  }
}

async function download(from: URL, signal: AbortSignal, most: number): Promise<string> {
  let url = from;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    // All are on the server of the first.
    const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5', ...credentialsOf(from) };
    const response = await fetch(withoutCredentials(url), { headers, redirect: 'manual', signal });
    const { status } = response;
    const location = response.headers.get('location');
    if (status >= 300 && status < 400 && location !== null) {
      await response.body?.cancel();
      const next = new URL(location, url);
      if (next.origin !== from.origin)
        throw failure('SIGIL_OPENAPI_REDIRECT', { url: shownUrl(from), origin: next.origin });
      url = next;
      continue;
    }
    if (!response.ok) throw unreadable(from, `the server answers with HTTP ${status}`);
    return await readBody(response, from, most);
  }
  throw unreadable(from, `the server redirects more than ${MOST_REDIRECTS} times`);
}

async function readBody(response: Response, url: URL, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > most) throw tooLarge(url, most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function causeOf(error: unknown): string {
  return reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

function unreadable(url: URL, reason: string): CliFailure {
  return failure('SIGIL_OPENAPI_UNREADABLE', { document: shownUrl(url), reason });
}

function tooLarge(url: URL, most: number): CliFailure {
  return unreadable(url, `it has more than ${most / 1_000_000} MB`);
}
