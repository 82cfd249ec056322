/**
 * Reads what a server demands of a token: the header `WWW-Authenticate`.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
 */

/** Why a server refused a request, and what it wants instead. */
export interface Challenge {
  /** 401: the token is missing or invalid. 403: it does not allow this request. */
  readonly status: number;
  /** The scheme, such as `Bearer`; undefined if the server sent no challenge. */
  readonly scheme: string | undefined;
  /** Such as `invalid_token` or `insufficient_scope`. */
  readonly error: string | undefined;
  readonly errorDescription: string | undefined;
  /** The scopes that the request needs, separated by spaces. */
  readonly scope: string | undefined;
  /** The URL of the metadata of the protected resource (RFC 9728). */
  readonly resourceMetadata: string | undefined;
  /** All parameters, by name in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A token68, or a parameter, or the scheme that begins the next challenge. */
const PART = /\s*(?:([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))|([^\s,"]+))\s*,?/gy;

/** The challenge of a response: of the scheme Bearer if there are several. Undefined if the response demands nothing. */
export function challengeOf({ status, headers }: Response): Challenge | undefined {
  const header = headers.get('www-authenticate');
  if (status !== 401 && !(status === 403 && header !== null)) return undefined;
  const all = readChallenges(header ?? '');
  const chosen = all.find(({ scheme }) => scheme.toLowerCase() === 'bearer') ?? all[0];
  const parameters = chosen?.parameters ?? {};
  return {
    status,
    scheme: chosen?.scheme,
    error: parameters['error'],
    errorDescription: parameters['error_description'],
    scope: parameters['scope'],
    resourceMetadata: parameters['resource_metadata'],
    parameters,
  };
}

function readChallenges(header: string): { scheme: string; parameters: Record<string, string> }[] {
  const found: { scheme: string; parameters: Record<string, string> }[] = [];
  for (const [, name, quoted, plain, scheme] of header.matchAll(PART)) {
    const last = found.at(-1);
    if (scheme !== undefined) found.push({ scheme, parameters: {} });
    else if (last && name !== undefined)
      last.parameters[name.toLowerCase()] = plain ?? (quoted ?? '').replace(/\\(.)/g, '$1');
  }
  return found;
}
