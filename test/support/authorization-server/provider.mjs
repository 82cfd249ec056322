/**
 * A real authorization server that nobody has to sit in front of: whoever comes is signed in as `ada` and agrees to everything.
 * Runs as a child process and speaks over its channel: `{ rotate: true }`, `{ accessTokenTtl: seconds }`.
 */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { interactionPolicy } from 'oidc-provider';

/** What `notes-server` may ask about tokens with. */
const SERVER = { client_id: 'notes-server', client_secret: 'secret-of-the-notes-server' };

/** A program that calls in its own name. */
const ROBOT = { client_id: 'robot', client_secret: 'secret-of-the-robot' };

/** An application that was registered by hand. */
const APPLICATION = {
  client_id: 'conformance',
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1:53682/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

const settings = { accessTokenTtl: 600, format: 'jwt', provider: undefined, handle: undefined };

const server = createServer((request, response) => {
  const [, uid] = /^\/auto\/([\w-]+)$/.exec(request.url) ?? [];
  if (uid === undefined) return settings.handle(request, response);
  // What a page with a form would do once it was sent.
  settings.provider
    .interactionFinished(
      request,
      response,
      { login: { accountId: 'ada' }, consent: {} },
      { mergeWithLastSubmission: false },
    )
    .catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1', async () => {
  await makeProvider();
  process.send({ issuer: issuer() });
});

process.on('message', async ({ rotate, accessTokenTtl, format }) => {
  settings.accessTokenTtl = accessTokenTtl ?? settings.accessTokenTtl;
  settings.format = format ?? settings.format;
  // Grants and tokens are kept beside the providers: the new one knows those of the old.
  if (rotate) await makeProvider();
  process.send({ done: true });
});
process.on('disconnect', () => process.exit());

function issuer() {
  return `http://127.0.0.1:${server.address().port}`;
}

async function makeProvider() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = `key-${Date.now()}`;
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid }] };
  settings.provider = new Provider(issuer(), configurationOf(jwks));
  settings.handle = settings.provider.callback();
}

function configurationOf(jwks) {
  const policy = interactionPolicy.base();
  // Consent is asked for where a client wants that, and never otherwise.
  policy.get('consent').checks.clear();
  return {
    jwks,
    clients: [
      { ...SERVER, grant_types: [], redirect_uris: [], response_types: [] },
      APPLICATION,
      { ...ROBOT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    ],
    cookies: { keys: ['a key of tests'] },
    scopes: ['openid', 'offline_access', 'notes:read', 'notes:write', 'notes:admin'],
    pkce: { required: () => true },
    ttl: { AccessToken: () => settings.accessTokenTtl, ClientCredentials: () => settings.accessTokenTtl },
    interactions: { url: (_context, { uid }) => `/auto/${uid}`, policy },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    loadExistingGrant: grantEverything,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_context, client) => client.clientId === SERVER.client_id },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: 'notes:read notes:write notes:admin',
          audience: resource,
          accessTokenTTL: settings.accessTokenTtl,
          accessTokenFormat: settings.format,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    // It refuses redirects over http that leave the machine, as the conformance of clients' registration wants.
    extraClientMetadata: { properties: ['checked'], validator: checkClient },
  };
}

async function grantEverything({ oidc }) {
  const { client, session, params } = oidc;
  const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid offline_access');
  for (const resource of [params.resource ?? []].flat()) grant.addResourceScope(resource, params.scope ?? '');
  await grant.save();
  return grant;
}

function checkClient(_context, _key, _value, metadata) {
  const isOpen = (uri) => uri.startsWith('http://') && !/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(uri);
  if (metadata.redirect_uris?.some(isOpen)) throw new TypeError('redirect_uris have to be https, or on loopback');
  // What a client asks for first does not keep it from asking for more.
  metadata.scope = undefined;
}
