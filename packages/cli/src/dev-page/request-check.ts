/**
 * Refuses requests that do not come from the page of this machine: another page may send requests to loopback, and a name that is made to
 * point here (DNS rebinding) makes it look like the same origin.
 */
import type { IncomingMessage } from 'node:http';
import { KEY_HEADER, type PageKey } from './page-key';

/** The names of this machine. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Why a request is refused: its status, and a sentence. */
export interface PageRefusal {
  readonly status: number;
  readonly reason: string;
}

/** Checks that hold for each request below the path of the page. @param port on which it came in */
export function refusalOf({ headers, socket }: IncomingMessage, port: number | undefined): PageRefusal | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (!LOOPBACK.test(socket.remoteAddress ?? '')) return { status: 403, reason: 'The page is for this machine only.' };
  const hosts = NAMES.map((name) => `${name}:${port}`);
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    return { status: 403, reason: 'The header Host is not that of the page.' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, reason: 'Another page has sent this request.' };
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? { status: 403, reason: 'Another page has sent this request.' } : undefined;
}

/** Checks of requests for data and actions. */
export function apiRefusalOf({ headers, method }: IncomingMessage, key: PageKey): PageRefusal | undefined {
  if (!key.opens(headers[KEY_HEADER]))
    return { status: 401, reason: 'The key is missing or wrong. Open the URL that sigil dev prints.' };
  if (method === 'GET') return undefined;
  if (method !== 'POST') return { status: 405, reason: 'Use POST.' };
  // A form of another page cannot send this type without asking first.
  const isJson = /^application\/json(?:;|$)/.test(headers['content-type'] ?? '');
  return isJson ? undefined : { status: 415, reason: 'The body has to be JSON.' };
}
