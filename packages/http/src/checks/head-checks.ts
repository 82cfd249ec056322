/**
 * The checks of a request's head, before a byte of its body is read: which web pages reach the server, and what the client sends and accepts. All
 * of them throw a `Refusal`. Their order is at the end of the file.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { EndpointSettings } from '../options/endpoint-options';
import type { HttpRequest } from '../port';
import { closing, countHeader, hostOf, refusal, type HeaderValue } from '../call';

/** The data of the endpoint for these checks. */
export interface CheckedEndpoint {
  readonly settings: EndpointSettings;
  /** Whether only programs of this machine can connect. */
  readonly isLoopback: boolean;
  /** `Host` headers that were accepted before. */
  readonly knownHosts: Set<string>;
  /** Whether requests are still accepted; false after the shutdown has drained everything. */
  readonly readiness: { readonly isOpen: boolean };
}

/** Checks the origin of a request; throws a `Refusal`. */
export type HeadCheck = (request: HttpRequest, scope: CheckedEndpoint) => void;

/** Checks the headers about the body, or about the accepted answer; throws a `Refusal`. */
export type BodyCheck = (request: HttpRequest) => void;

/** The number of accepted hosts that are remembered, as they were sent. */
const MOST_KNOWN_HOSTS = 100;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses with 421 a host that is not one of the allowed names or, without such names and bound to loopback, not a loopback name;
 * with 400 a request of HTTP/1.1 without the header.
 */
export const checkHost: HeadCheck = (request, scope) => {
  const { headers, target, httpVersion } = request;
  // HTTP/2 has `:authority` instead of the header.
  const authority = headers[':authority'];
  const host = hostOf(target, authority ?? headers['host']) ?? '';
  checkOneHost(request);
  // Clients use the same few names again and again.
  if (host !== '' && scope.knownHosts.has(host)) return;
  const { settings, isLoopback } = scope;
  // HTTP/1.1 requires the header, even if there is nothing to compare it with.
  if (headers['host'] === undefined && httpVersion === '1.1') throw refusal(400, 'The Host header is missing.');
  const allowed = settings.allowedHosts ?? (isLoopback ? LOOPBACK_NAMES : undefined);
  if (!allowed) return;
  if (isAllowedHost(host, allowed)) {
    if (scope.knownHosts.size < MOST_KNOWN_HOSTS) scope.knownHosts.add(host);
    return;
  }
  throw refusal(
    421,
    `The Host ${JSON.stringify(host.slice(0, 200))} is not served here. If it should be, name it in allowedHosts (ALLOWED_HOSTS).`,
  );
};

/** Refuses with 403 an origin that is neither listed nor the server's own. */
export const checkOrigin: HeadCheck = ({ headers, target }, { settings, isLoopback }) => {
  const { origin } = headers;
  if (typeof origin !== 'string' || settings.allowedOrigins.includes(origin)) return;
  // The server's own pages, but only with a checked Host header; a rebound name would otherwise be its own origin.
  const host = hostOf(target, headers['host']) ?? '';
  const hostWasChecked = isLoopback || settings.allowedHosts !== undefined;
  if (hostWasChecked && (origin === `http://${host}` || origin === `https://${host}`)) return;
  throw refusal(
    403,
    `The Origin ${JSON.stringify(origin.slice(0, 200))} may not send requests here. If it should, name it in allowedOrigins (ALLOWED_ORIGINS).`,
  );
};

/** Refuses two Host headers with 400: Node drops all but the first, and an attacker may want a proxy to use the other one. */
export function checkOneHost({ rawHeaders }: Pick<HttpRequest, 'rawHeaders'>): void {
  if (countHeader(rawHeaders, 'host') > 1) throw refusal(400, 'The Host header came more than once.');
}

/** Whether a host is one of the allowed ones, ignoring case; an allowed name without a port allows all ports. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const lower = host.toLowerCase();
  const name = hostName(lower);
  return name !== undefined && allowed.some((entry) => entry.toLowerCase() === lower || entry.toLowerCase() === name);
}

/** The name in a `Host` header, without its port; undefined for an invalid host. */
function hostName(host: string): string | undefined {
  const found = /^(\[[0-9a-f:.]+\]|[^:[\]\s/@]+)(?::\d{1,5})?$/.exec(host);
  return found?.[1];
}

const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';
const BOTH = `${JSON_TYPE}, ${STREAM}`;

/** Refuses with 415 a POST other than JSON, and with 400 one with two Content-Type headers, because Node drops all but the first. */
export const checkContentType: BodyCheck = ({ headers, rawHeaders }) => {
  const header = headers['content-type'];
  if (countHeader(rawHeaders, 'content-type') > 1) throw refusal(400, 'The Content-Type header came more than once.');
  // The value that all clients of the protocol send.
  if (header === JSON_TYPE) return;
  const type = mediaType(header);
  if (type !== JSON_TYPE) {
    throw refusal(415, `The Content-Type must be application/json, not ${JSON.stringify(type.slice(0, 100))}.`);
  }
};

/** What the answer to a POST may be. */
export type AnswerType = 'json or stream' | 'json' | 'stream';

/**
 * What a client accepts as the answer to a POST; undefined if it is nothing that is sent here. Without the header it accepts everything.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function answerTypeOf({ headers }: Pick<HttpRequest, 'headers'>): AnswerType | undefined {
  const { accept: header } = headers;
  const accept = typeof header === 'string' ? header : textOf(header);
  if (accept === BOTH || accept.trim() === '') return 'json or stream';
  const isStream = accepts(accept, STREAM);
  if (!accepts(accept, JSON_TYPE)) return isStream ? 'stream' : undefined;
  return isStream ? 'json or stream' : 'json';
}

/** Refuses with 406 a client that accepts neither JSON nor event streams. Answers to the others are what they accept. */
export const checkAccept: BodyCheck = (request) => {
  // The value that all clients of the protocol send.
  if (request.headers['accept'] === BOTH) return;
  if (answerTypeOf(request) === undefined)
    throw refusal(406, `The Accept header must name ${JSON_TYPE} or ${STREAM}, or better both.`);
};

/** Refuses with 415 a compressed body: bodies are not decompressed. */
export const checkEncoding: BodyCheck = ({ headers }) => {
  const header = headers['content-encoding'];
  if (header === undefined) return;
  const encoding = textOf(header);
  if (encoding.toLowerCase() !== 'identity') {
    throw refusal(
      415,
      `The Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not read here; send the body as it is.`,
      {
        'accept-encoding': 'identity',
      },
    );
  }
};

/** Refuses with 406 a request for a stream whose client does not accept event streams. */
export const checkStreamAccepted: BodyCheck = (request) => {
  if (!answerTypeOf(request)?.endsWith('stream')) throw refusal(406, `The Accept header must name ${STREAM}.`);
};

/** Whether an `Accept` header allows a type; a wildcard allows it too, a quality of zero does not. */
export function accepts(accept: string, type: string): boolean {
  const [family = ''] = type.split('/');
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !isRefused && (name === type || name === `${family}/*` || name === '*/*');
  });
}

function mediaType(header: HeaderValue): string {
  const [type = ''] = textOf(header).split(';');
  return type.trim().toLowerCase();
}

/** A header as one text. */
function textOf(header: HeaderValue): string {
  return typeof header === 'string' ? header : (header?.join(', ') ?? '');
}

/** Refuses with 503 after the server has stopped accepting requests: connections that were opened before send some. */
export function checkAccepting({ readiness }: Pick<CheckedEndpoint, 'readiness'>): void {
  if (!readiness.isOpen) throw closing();
}

/** The checks of every request with a supported method that is still accepted; authentication follows them. */
export const HEAD_CHECKS: readonly HeadCheck[] = [checkHost, checkOrigin];

/** The checks of every POST of Streamable HTTP, after its caller is known. */
export const BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding, checkAccept];

/** The checks of every POST of the HTTP+SSE transport, which is not answered on the POST: any `Accept` header is valid. */
export const SSE_BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding];
