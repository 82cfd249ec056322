/** What browsers need to know before they let a page speak MCP with a server. */
import type { HttpRequest, HttpResponse } from './port';

/** The headers and answers for pages of other origins. */
export interface CorsRules {
  /** The answer to OPTIONS, where pages of other origins are let in; undefined for every other request. */
  preflight(request: HttpRequest): HttpResponse | undefined;
  /** The headers of the answer to a request. */
  headersFor(request: HttpRequest): Readonly<Record<string, string>>;
}

/** What pages of allowed origins may send and read. */
export const CORS = {
  methods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
  exposedHeaders: ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'Allow'],
  /** Seconds for which a browser remembers a preflight. */
  maxAge: 7200,
};
const EXPOSED = CORS.exposedHeaders.join(', ');

/** Lets pages of some origins in; without origins CORS is off. */
export function corsRulesOf(origins: readonly string[]): CorsRules {
  const allowed = new Set(origins);
  const originOf = ({ headers: { origin } }: HttpRequest): string | undefined =>
    typeof origin === 'string' && allowed.has(origin) ? origin : undefined;
  const headersFor = (request: HttpRequest): Readonly<Record<string, string>> => {
    if (allowed.size === 0) return NONE;
    const origin = originOf(request);
    // A cache must not give the answer for one origin to another one.
    if (origin === undefined) return { vary: 'Origin' };
    return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED };
  };
  const preflight = (request: HttpRequest): HttpResponse | undefined => {
    if (request.method !== 'OPTIONS' || allowed.size === 0) return undefined;
    if (originOf(request) === undefined) return { status: 204, headers: {} };
    // What a page asks for is let through: argument headers have names of their own.
    const asked = request.headers['access-control-request-headers'];
    const headers = {
      'access-control-allow-methods': CORS.methods.join(', '),
      'access-control-max-age': String(CORS.maxAge),
      ...(typeof asked === 'string' && { 'access-control-allow-headers': asked }),
    };
    return { status: 204, headers };
  };
  return { preflight, headersFor };
}

const NONE: Readonly<Record<string, string>> = {};
