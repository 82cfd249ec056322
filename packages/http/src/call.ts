/** An HTTP request on its way through this package, how its head is read, and the responses that no handler makes. */
import { randomUUID } from 'node:crypto';
import { Denial, type Caller, type Logger, type RequestHeaders } from '@sigil-mcp/core';
import { ANONYMOUS, type MaybePromise, type Observers } from '@sigil-mcp/core/adapter';
import { readAddress, type Account } from '@sigil-mcp/core/internal';
import { ERROR_CODES, writeError, type ErrorObject, type RequestId } from '@sigil-mcp/protocol';
import type { EventSource, HttpRequest, HttpResponse } from './port';

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

// Responses that no handler makes: refusals, which have a status and always a JSON-RPC body, and what many requests get.

/** Thrown by checks; the endpoint's error handler writes it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  readonly headers: Readonly<Record<string, string>>;
  readonly id: RequestId | null | undefined;
  readonly limit: string | undefined;
  readonly isUnreadable: boolean;

  constructor(
    readonly status: number,
    readonly error: ErrorObject,
    private readonly details: RefusalDetails = {},
  ) {
    super(error.message);
    this.headers = details.headers ?? {};
    this.id = details.id;
    this.limit = details.limit;
    this.isUnreadable = details.isUnreadable ?? false;
  }

  /** The same refusal with the id of the request. */
  about(id: RequestId | null | undefined): Refusal {
    return new Refusal(this.status, this.error, { ...this.details, id });
  }
}

/** What a refusal has besides its status and its error. */
export interface RefusalDetails {
  /** None if left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of the request, if it could be read; null or undefined as its revision represents a missing id. */
  readonly id?: RequestId | null | undefined;
  /** The option that sets the limit which was reached, such as `limits.sessions`; none if left out. */
  readonly limit?: string | undefined;
  /** Whether the body could not be read as a message; false if left out. */
  readonly isUnreadable?: boolean;
}

/** A refusal as an "invalid request" of JSON-RPC. */
export function refusal(status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, { code: ERROR_CODES['invalid-request'], message }, { headers });
}

/** The refusal of a body with 413. */
export function tooLarge(bodyLimit: number): Refusal {
  const error = {
    code: ERROR_CODES['invalid-request'],
    message: `The body is larger than ${bodyLimit} bytes (bodyLimit).`,
  };
  return new Refusal(413, error, { limit: 'bodyLimit' });
}

/** A refusal with 404: the client initializes a new session. */
export function sessionOver(): Refusal {
  return refusal(404, 'The session has ended or does not exist. Initialize again.');
}

/**
 * A refusal with 503 for an overloaded server: the client may try again.
 * @param limit the option that sets the limit which was reached, if it is one
 */
export function busy(message: string, limit?: string): Refusal {
  const error = {
    code: ERROR_CODES['internal-error'],
    message: `${message} Try again later.`,
    data: { retryAfter: 1 },
  };
  return new Refusal(503, error, { headers: { 'retry-after': '1' }, limit });
}

/** A refusal with 503 for a closing server: the client may try again, and reaches another instance or the restarted server. */
export function closing(): Refusal {
  return refusal(503, 'The server is shutting down.', { 'retry-after': '1', connection: 'close' });
}

/** A refusal with 405 with the supported methods, separated by commas. */
export function methodNotAllowed(allow: string): Refusal {
  return refusal(405, `This method is not served here. Served: ${allow}.`, { allow });
}

/** Characters that headers must not contain: control characters and those beyond Latin 1 (RFC 9110, section 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]+/g;

/** The headers of a denial: its challenge, and its retry time. */
export function headersOf({ challenge, retryAfter }: Denial): Record<string, string> {
  return {
    ...(challenge !== undefined && { 'www-authenticate': headerText(challenge) }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.max(0, Math.ceil(retryAfter))) }),
  };
}

/** A text for a header: each invalid character becomes a space. */
function headerText(text: string): string {
  return text.replace(FORBIDDEN, ' ');
}

/** The refusal with the status, the headers and the error of a denial. */
export function denied(denial: Denial): Refusal {
  const { error, message, data, status } = denial;
  const code = typeof error === 'number' ? error : ERROR_CODES[error];
  const written = { code, message, ...(data !== undefined && { data }) };
  return new Refusal(status, written, { headers: headersOf(denial), limit: denial.limit });
}

/** A refusal as it is, a denial with its status. Any other error is logged, and masked with 500. */
export function refusalOf(error: unknown, logger: Logger): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Denial) return denied(error);
  const errorId = randomUUID();
  logger.error({ errorId, err: error }, 'An HTTP request failed unexpectedly');
  return new Refusal(500, {
    code: ERROR_CODES['internal-error'],
    message: `Internal error (id ${errorId}). The server's log has the details under this id.`,
  });
}

/** A refusal, and what was thrown for it. */
export interface ThrownRefusal {
  readonly refusal: Refusal;
  readonly error: unknown;
}

/** The request that is refused. */
export interface RefusedRequest {
  readonly caller: Caller;
  readonly request: Pick<HttpRequest, 'headers' | 'address'>;
}

/** Reports that a request is refused, and first, if that is so, that its body could not be read. */
export function reportRefusal(
  { refusal, error }: ThrownRefusal,
  { caller, request }: RefusedRequest,
  observers: Observers,
): void {
  const { status, limit, isUnreadable } = refusal;
  const { code, message } = refusal.error;
  if (isUnreadable) observers.unreadable(refusal.error, limit, true);
  const address = readAddress(request.address);
  observers.refused({ status, code, message, limit, error, caller, headers: withoutToken(request.headers), address });
}

/** The headers of every body in JSON. */
export const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' };

/** The headers of every event stream. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

type Headers = Readonly<Record<string, string>>;

/** Headers with more of them; the same object if there are no more. */
export function withHeaders(headers: Headers, more: Headers | undefined, most?: Headers): Headers {
  return more || most ? { ...headers, ...more, ...most } : headers;
}

/** Acknowledges a message without an answer: 202. */
export function accepted({ answerHeaders = {} }: HttpCall): HttpResponse {
  return { status: 202, headers: answerHeaders };
}

/** A refusal: its status, its headers, and its error as a JSON-RPC body. */
export function refused({ status, headers, id, error }: Refusal): HttpResponse {
  return { status, headers: withHeaders(JSON_HEADERS, headers), body: writeError(id, error) };
}

/** A stream of its own, as a GET opens it. */
export function streamed(stream: EventSource): HttpResponse {
  return { status: 200, headers: SSE_HEADERS, body: stream };
}

/** A small document in JSON. */
export function document(content: object, headers?: Headers, status = 200): HttpResponse {
  return { status, headers: withHeaders(JSON_HEADERS, headers), body: JSON.stringify(content) };
}
