/** The URI of an endpoint as clients know it: what tokens are issued for, and where the metadata of the endpoint is found. */
import { sigilError } from '@sigil-mcp/core/adapter';
import { isLoopbackAddress } from './bound-addresses';

/**
 * Where the metadata of a resource at the root of its origin is found; that of others is below.
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** A resource, as its metadata names it. */
export interface ResourceUri {
  /** In canonical form: scheme and host in lower case, without the port that goes without saying. */
  readonly uri: string;
  readonly origin: string;
  /** Without the slash of a path that is nothing else. */
  readonly path: string;
}

/** Reads the URI of a resource. Throws a `SigilError` for one that clients could not be told. */
export function resourceUriOf(text: string): ResourceUri {
  const refuse = (reason: string): never => {
    throw sigilError('SIGIL_AUTH_RESOURCE', { resource: JSON.stringify(text), reason });
  };
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return refuse('is no absolute URI');
  const url = new URL(text);
  if (text.includes('#')) return refuse('has a fragment');
  if (text.includes('?')) return refuse('has a query');
  if (url.username !== '' || url.password !== '') return refuse('has a user name or a password');
  if (!isSafe(url)) return refuse('is neither https nor on loopback');
  const path = url.pathname === '/' ? '' : url.pathname;
  // A slash at the end of a path is a part of it; behind a mere host it is not there unless somebody wrote it.
  return { uri: `${url.origin}${path === '' && text.endsWith('/') ? '/' : path}`, origin: url.origin, path };
}

/** Whether what is sent to a URL cannot be read on its way: by https, or because it does not leave the machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackAddress(hostname.replace(/^\[|\]$/g, '')));
}
