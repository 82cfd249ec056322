/** The URI of an endpoint as clients know it: tokens are issued for it, and the metadata of the endpoint is found by it. */
import { isLoopbackAddress } from './loopback';
import { httpError } from '../errors';

/**
 * The path of the metadata for a resource at the root of its origin; the metadata of other resources are below it.
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** A resource, as in its metadata. */
export interface ResourceUri {
  /** In canonical form: scheme and host in lower case, without a default port. */
  readonly uri: string;
  readonly origin: string;
  /** Without a single slash. */
  readonly path: string;
}

/** Reads the URI of a resource. Throws a `SigilError` for one that cannot be published. */
export function resourceUriOf(text: string): ResourceUri {
  const refuse = (reason: string, shown = text): never => {
    throw httpError('SIGIL_AUTH_RESOURCE', { resource: JSON.stringify(shown), reason });
  };
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return refuse('is not an absolute URI');
  const url = new URL(text);
  if (hasCredentials(url))
    return refuse('has a user name or a password', `${url.protocol}//…@${url.host}${url.pathname}`);
  if (text.includes('#')) return refuse('has a fragment');
  if (text.includes('?')) return refuse('has a query');
  if (!isSafe(url)) return refuse('is neither https nor on loopback');
  const path = url.pathname === '/' ? '' : url.pathname;
  // A slash at the end of a path is a part of it; after a bare host it is kept only if it was written.
  return { uri: `${url.origin}${path === '' && text.endsWith('/') ? '/' : path}`, origin: url.origin, path };
}

/** Whether a URL has a user name or a password, which is not for others to read. */
export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** Whether requests to a URL cannot be read on their way: it uses https, or is on this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackAddress(hostname.replace(/^\[|\]$/g, '')));
}
