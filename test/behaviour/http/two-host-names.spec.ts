/**
 * An authorization server with two host names, as Keycloak in a container: clients know the public one, which tokens carry, and the server reaches
 * it at the inner one only.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Caller, Feature, Tool, type Auth } from '@sigil-mcp/core';
import { introspection, jwt } from '@sigil-mcp/oauth';
import { issuer as openIssuer, type TestIssuer } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { serve, type OpenServer } from './http-server';

const RESOURCE = 'https://mcp.example.com/mcp';
const REALM = '/realms/notes';
const CERTS = `${REALM}/protocol/openid-connect/certs`;
const INTROSPECT = `${REALM}/protocol/openid-connect/token/introspect`;
const METADATA = `${REALM}/.well-known/openid-configuration`;

@Feature()
class Desk {
  @Tool('Says who calls')
  who(caller: Caller): string {
    return `${caller.id} of ${caller.issuer ?? 'nobody'}`;
  }
}

let issuer: TestIssuer;
let front: Server;
/** Host name and path of each request. */
const asked: string[] = [];
let port: number;
/** As `hostname-backchannel-dynamic`: whether metadata names the host that it was asked at. */
let isDynamic = true;
/** The name of the realm, in the URLs that browsers and clients use. */
const publicUrl = (): string => `http://localhost:${port}${REALM}`;
const inner = (path: string): string => `http://127.0.0.1:${port}${path}`;

/** As Keycloak with `hostname`: one issuer, whatever the host. */
async function answer({ headers, url = '', method }: IncomingMessage, body: string): Promise<object | undefined> {
  asked.push(`${new URL(`http://${headers.host}`).hostname} ${url}`);
  const here = isDynamic ? `http://${headers.host}` : new URL(publicUrl()).origin;
  if (url === METADATA)
    return { issuer: publicUrl(), jwks_uri: here + CERTS, introspection_endpoint: here + INTROSPECT };
  if (url === CERTS) return { keys: issuer.keys };
  if (url !== INTROSPECT) return undefined;
  const { authorization = '' } = headers;
  const type = 'application/x-www-form-urlencoded';
  const told = await fetch(`${issuer.url}/introspect`, {
    method: method ?? 'POST',
    headers: { authorization, 'content-type': type },
    body,
  });
  return (await told.json()) as object;
}

beforeAll(async () => {
  issuer = await openIssuer();
  front = createHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      void answer(request, Buffer.concat(pieces).toString()).then((found) => {
        response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  ({ port } = front.address() as AddressInfo);
});
afterAll(async () => {
  front.close();
  front.closeAllConnections();
  await issuer.close();
});

/** The server trusts the public name; each way to the inner one is another. */
const ways: readonly (readonly [string, string, () => Auth])[] = [
  ['its keys', CERTS, () => jwt({ issuer: { url: publicUrl(), keys: inner(CERTS) }, resource: RESOURCE })],
  [
    'its metadata',
    METADATA,
    () => jwt({ issuer: { url: publicUrl(), metadata: inner(METADATA) }, resource: RESOURCE }),
  ],
  [
    'its answers about tokens',
    INTROSPECT,
    () =>
      introspection({
        issuer: publicUrl(),
        url: inner(INTROSPECT),
        clientId: 'desk',
        clientSecret: 'secret',
        resource: RESOURCE,
      }),
  ],
];

const tokenOf = (iss: string): string =>
  issuer.token({ sub: 'ada', clientId: 'desktop', aud: RESOURCE, claims: { iss, active: true } });

describe.each(ways)('an issuer with %s at the inner host name', (_what, path, auth) => {
  let open: OpenServer;
  beforeAll(async () => {
    asked.splice(0);
    open = await serve({ features: [Desk] }, { auth: auth() });
  });
  afterAll(() => open.close());

  eachRevision('lets a call in whose token carries the public name', async ({ connect }) => {
    const client = await connect(open.url, { headers: { authorization: `Bearer ${tokenOf(publicUrl())}` } });
    expect(await client.callTool('who')).toMatchObject({ content: [{ text: `ada of ${publicUrl()}` }] });
  });

  it('is never asked at the public name, which a server in a container may not reach', () => {
    expect(asked).toContain(`127.0.0.1 ${path}`);
    expect(asked.filter((one) => one.startsWith('localhost'))).toEqual([]);
  });

  it.each([
    ['the inner name', () => inner(REALM)],
    ['the public name with a slash at its end', () => `${publicUrl()}/`],
    ['the public name in other letters', () => publicUrl().replace('localhost', 'LOCALHOST')],
  ])('refuses a token that carries %s', async (_name, iss) => {
    const headers = { authorization: `Bearer ${tokenOf(iss())}`, 'content-type': 'application/json' };
    const { status } = await fetch(open.url, { method: 'POST', headers, body: '{}' });
    expect(status).toBe(401);
  });

  it('is shown to clients by its public name, where they find its metadata', async () => {
    const { origin } = new URL(open.url);
    const document = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
    const { authorization_servers: servers } = (await document.json()) as { authorization_servers: string[] };
    expect(servers).toEqual([publicUrl()]);
    const metadata = await fetch(`${servers[0]}/.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ issuer: publicUrl() });
  });
});

it('keys that the inner metadata has at another host without https are not fetched, and their own address is enough', async () => {
  isDynamic = false;
  const url = publicUrl();
  const verify = (place: object): unknown =>
    jwt({ issuer: { url, ...place }, resource: RESOURCE, logger: { warn: () => undefined } }).verify(tokenOf(url), {
      ...{ scheme: 'bearer', method: 'POST', url: RESOURCE, headers: {} },
    });
  asked.splice(0);
  await expect(verify({ metadata: inner(METADATA) })).rejects.toMatchObject({ status: 503 });
  await expect(verify({ keys: inner(CERTS) })).resolves.toMatchObject({ id: 'ada' });
  expect(asked).toEqual([`127.0.0.1 ${METADATA}`, `127.0.0.1 ${CERTS}`]);
});
