/** A token of the authorization server that `sigil dev --issuer` has opened, for a caller of the page. */
import { commandError } from '../errors/errors';

/** Milliseconds for the authorization server to answer. */
const PATIENCE = 5000;

/** What a caller may do. */
export interface CallerRights {
  readonly scopes: string | undefined;
  readonly roles: string | undefined;
}

/**
 * @param issuer its URL, which comes from the project and not from the page
 * @param person one of the people that it knows, or another name, if rights are given
 * @param rights scopes and roles, separated by spaces, in place of those that it knows; undefined for these
 * @throws SigilError if it gives no token for the person
 */
export async function issuedToken(
  issuer: string | undefined,
  person: string,
  { scopes, roles }: CallerRights = { scopes: undefined, roles: undefined },
): Promise<{ readonly token: string }> {
  const reason = 'sigil dev was started without --issuer';
  if (issuer === undefined) throw commandError('SIGIL_DEV_PAGE_REQUEST', { reason });
  const url = new URL(`${issuer.replace(/\/$/, '')}/token`);
  url.searchParams.set('as', person);
  if (scopes !== undefined) url.searchParams.set('scope', scopes);
  if (roles !== undefined) url.searchParams.set('roles', roles);
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' });
  const text = (await response.text()).trim();
  if (response.ok) return { token: text };
  throw commandError('SIGIL_DEV_PAGE_REQUEST', { reason: `the issuer knows no ${JSON.stringify(person)}` });
}
