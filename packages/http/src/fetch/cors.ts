/** What browsers need to know before they let a page speak MCP with a server. */

/** The headers and answers for pages of other origins. */
export interface CorsRules {
  /** The answer to OPTIONS, where pages of other origins are let in; undefined for every other request. */
  preflight(request: Request): Response | undefined;
  /** The headers of the answer to a request. */
  headersFor(request: Request): Readonly<Record<string, string>>;
}

const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, Allow';
const METHODS = 'GET, POST, DELETE, OPTIONS';
/** Seconds for which a browser remembers a preflight. */
const REMEMBERED = '7200';

/** Lets pages of some origins in; without origins CORS is off. */
export function corsRulesOf(origins: readonly string[]): CorsRules {
  const allowed = new Set(origins);
  const originOf = (request: Request): string | undefined => {
    const origin = request.headers.get('origin');
    return origin !== null && allowed.has(origin) ? origin : undefined;
  };
  const headersFor = (request: Request): Readonly<Record<string, string>> => {
    if (allowed.size === 0) return {};
    const origin = originOf(request);
    // A cache must not give the answer for one origin to another one.
    if (origin === undefined) return { vary: 'Origin' };
    return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED };
  };
  const preflight = (request: Request): Response | undefined => {
    if (request.method !== 'OPTIONS' || allowed.size === 0) return undefined;
    if (originOf(request) === undefined) return new Response(null, { status: 204, headers: headersFor(request) });
    // What a page asks for is let through: argument headers have names of their own.
    const asked = request.headers.get('access-control-request-headers');
    const headers = {
      ...headersFor(request),
      'access-control-allow-methods': METHODS,
      'access-control-max-age': REMEMBERED,
      ...(asked !== null && { 'access-control-allow-headers': asked }),
    };
    return new Response(null, { status: 204, headers });
  };
  return { preflight, headersFor };
}
