/** The reason why a server over HTTP refuses a message, and the fix, a sentence each. */
import { noServer, protocolError, type CliFailure } from '../failure';
import type { HttpRefusal } from './http-refusal';

/** The lowest HTTP status for an error of the server. */
const FAILED = 500;

/** The status for a host name that the server does not serve. */
const MISDIRECTED = 421;

/** Explains a refusal while connecting; undefined if it is not the answer of an MCP server. */
export function explainClosedDoor(url: URL, refusal: HttpRefusal): CliFailure | undefined {
  const { status, words, isProtocolError } = refusal;
  if ([401, 403, 429].includes(status) || status >= FAILED) return describe(url, refusal, noServer);
  const said = words === undefined ? '' : `: ${words}`;
  if (status === MISDIRECTED) return noServer('SIGIL_CLI_HOST', { url: url.href, host: url.hostname, said });
  return isProtocolError ? noServer('SIGIL_CLI_REJECTED', { url: url.href, status, said }) : undefined;
}

/** Explains a refusal after connecting: a protocol error, unless the server is gone. */
export function explainRefusedCall(url: URL, refusal: HttpRefusal): CliFailure {
  const isGone = refusal.status === 404 || refusal.status >= FAILED;
  return describe(url, refusal, isGone ? noServer : protocolError);
}

function describe({ href: url }: URL, refusal: HttpRefusal, fail: typeof noServer): CliFailure {
  const { status, words, challenge } = refusal;
  const scopes = scopesOf(challenge);
  const said = `${wantsOf(challenge, scopes)}${words === undefined ? '' : `: ${words}`}`;
  switch (status) {
    case 401:
      return fail('SIGIL_CLI_WHO_ARE_YOU', { url, said });
    case 403:
      return scopes === undefined ? fail('SIGIL_CLI_DENIED', { url, said }) : fail('SIGIL_CLI_SCOPES', { url, scopes });
    case 404:
      return fail('SIGIL_CLI_NOT_FOUND', { url, said });
    case 429:
      return fail('SIGIL_CLI_TOO_MANY', { url, said, later: laterOf(refusal) });
    case 503:
      return fail('SIGIL_CLI_UNAVAILABLE', { url, said, later: laterOf(refusal) });
    default:
      return fail(status >= FAILED ? 'SIGIL_CLI_SERVER_FAILED' : 'SIGIL_CLI_REFUSED', { url, status, said });
  }
}

/** The scopes that a token needs, as text; undefined if the challenge names none. */
function scopesOf(challenge = ''): string | undefined {
  const [, list = ''] = /^bearer\b.*\bscope="([^"]*)"/i.exec(challenge) ?? [];
  const scopes = list.split(' ').filter((scope) => scope !== '');
  return scopes.length === 0 ? undefined : `${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(', ')}`;
}

/** The requirement of the server: a token with scopes, or another scheme from its challenge. */
function wantsOf(challenge: string | undefined, scopes: string | undefined): string {
  if (scopes !== undefined) return `, with a token that has the ${scopes}`;
  return challenge === undefined || /^bearer\b/i.test(challenge) ? '' : `; it wants ${challenge}`;
}

/** When to try again, as text: `in 30 seconds`. */
function laterOf({ retryAfter }: HttpRefusal): string {
  if (retryAfter === undefined) return 'later';
  if (!/^\d+$/.test(retryAfter)) return `after ${retryAfter}`;
  return retryAfter === '1' ? 'in 1 second' : `in ${retryAfter} seconds`;
}
