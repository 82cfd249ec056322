/** An HTTP request on its way through this package, and how its head is read: its target, and headers that were sent more than once. */
import type { Caller, RequestHeaders } from '@sigil-mcp/core';
import { ANONYMOUS, type Account, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { HttpRequest, HttpResponse } from './port';

/** A request, with what has been found out about it. */
export class HttpCall {
  /** Of the kind `anonymous` without authentication. */
  caller: Caller = ANONYMOUS;
  /** Undefined until it has arrived, and for a request without a body. */
  body: Uint8Array | undefined = undefined;
  /** Headers of every answer to it, also of an error. */
  answerHeaders: Readonly<Record<string, string>> | undefined = undefined;
  /** Gives back the memory that was charged for the body while it arrived; undefined if nothing is charged. */
  closeBody: (() => void) | undefined = undefined;

  /** The option that sets the limit because of which its response was aborted; undefined if it was not. */
  abortedBy: string | undefined = undefined;

  constructor(readonly request: HttpRequest) {}

  /** The headers that handlers may see: without the token of the caller. */
  get visibleHeaders(): RequestHeaders {
    const { headers } = this.request;
    return this.caller === ANONYMOUS ? headers : withoutToken(headers);
  }

  /** A header that may come once; undefined without it, and for one that came more than once. */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }
}

/** The key of the client that sends a request: all that one principal, or one address, holds counts together, over all of its sessions. */
export function clientOf({ caller, request }: Pick<HttpCall, 'caller' | 'request'>, account: Account): string {
  return account.clientOf(caller.principal, request.address);
}

/** Headers without a token: one that was refused here may be good elsewhere. */
export function withoutToken({ authorization: _token, ...headers }: RequestHeaders): RequestHeaders {
  return headers;
}

/** Answers a request that has passed the checks of its head. Throws a `Refusal` or a `Denial`, or rejects with one. */
export type RequestHandler = (call: HttpCall) => MaybePromise<HttpResponse>;

/** The value of one header. */
export type HeaderValue = RequestHeaders[string];

const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host, with its port, that a request is sent to, if it names one. */
export function hostOf(target: string, header: HeaderValue): string | undefined {
  const named = target.startsWith('/') ? undefined : ABSOLUTE.exec(target)?.[1];
  return named ?? (typeof header === 'string' ? header : undefined);
}

/** The path of a target, without its query. */
export function pathOf(target: string): string {
  const [path = ''] = (target.startsWith('/') ? target : target.replace(ABSOLUTE, '')).split('?');
  return path;
}

/** The query of a target. */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : target.slice(at));
}

/**
 * The headers of a request, by names in lower case. Duplicates are joined; the headers with the given names become lists instead,
 * all others are as they were.
 */
export function distinctHeaders(request: HttpRequest, names: readonly string[]): RequestHeaders {
  const { headers } = request;
  // Checked first, because most requests have nothing to look for.
  for (const name of names) if (headers[name]?.includes(', ')) return withLists(request, names);
  return headers;
}

/** The headers of a request, of which those with the given names are lists if they were sent more than once. */
function withLists({ headers, rawHeaders }: HttpRequest, names: readonly string[]): RequestHeaders {
  const repeated = names.map((name) => [name, valuesOf(rawHeaders, name)] as const);
  return { ...headers, ...Object.fromEntries(repeated.filter(([, values]) => values.length > 1)) };
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/**
 * The number of times that a header was sent.
 * @param rawHeaders from Node: names and values in turn
 * @param name in lower case
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}
