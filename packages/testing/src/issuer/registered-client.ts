/**
 * Clients that registered (RFC 7591). The id of a client is its registration, encoded: applications store it, and it has to stay valid
 * when the issuer is started again.
 */
import type { JsonValue } from '@sigil-mcp/protocol';
import { readJson } from '@sigil-mcp/client/wire';
import { isObject } from '@sigil-mcp/core/adapter';
import { isLocalRedirect } from './redirects';

/** A registered client. */
export interface RegisteredClient {
  readonly name: string;
  readonly redirects: readonly string[];
}

/** The answer to a registration; undefined if it names no address to send the browser back to. */
export function register(request: JsonValue | undefined): object | undefined {
  if (!isObject(request) || !Array.isArray(request['redirect_uris'])) return undefined;
  const redirects = request['redirect_uris'].map(String);
  if (!redirects.some(isLocalRedirect) || !redirects.every((each) => URL.canParse(each))) return undefined;
  const name = typeof request['client_name'] === 'string' ? request['client_name'].slice(0, 100) : 'An application';
  const client: RegisteredClient = { name, redirects };
  return {
    ...request,
    client_id: Buffer.from(JSON.stringify(client)).toString('base64url'),
    client_name: name,
    redirect_uris: redirects,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** The client with an id; undefined if it is not one of ours. */
export function findClient(id: string): RegisteredClient | undefined {
  const client = readJson(Buffer.from(id, 'base64url').toString());
  if (!isObject(client) || typeof client['name'] !== 'string' || !Array.isArray(client['redirects'])) return undefined;
  const redirects = client['redirects'].map(String);
  return redirects.every((each) => URL.canParse(each)) ? { name: client['name'], redirects } : undefined;
}
