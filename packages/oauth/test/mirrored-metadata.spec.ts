/** The metadata of an issuer at the origin of an endpoint, for clients of 2025-03-26. */
import { createServer, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { introspection, jwt } from '@sigil-mcp/oauth';
import { issuer as openIssuer, type TestIssuer } from '@sigil-mcp/testing';

const PLACE = '/.well-known/oauth-authorization-server';
const RESOURCE = 'https://mcp.example.com/api/mcp';

let issuer: TestIssuer;
let server: Server;
let place: string;
async function start(mirrorMetadata: boolean, isAsked = false): Promise<void> {
  issuer = await openIssuer({ path: '/realms/notes', metadata: { token_endpoint: 'https://id.example.com/token' } });
  const options = { issuer: issuer.url, resource: RESOURCE, mirrorMetadata, logger: { warn: () => undefined } };
  const auth = isAsked ? introspection({ ...options, clientId: 'a', clientSecret: 'b' }) : jwt(options);
  server = createServer({ name: 'mirror', version: '1.0.0', logger: false });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, auth });
  await server.listen(transport);
  place = new URL(PLACE, transport.url).href;
}
afterEach(async () => {
  await server.close();
  await issuer.close();
});

describe('the metadata of the authorization server', () => {
  it.each([false, true])(
    'stand at our origin, as the issuer writes them, asked for once [AUTH-022]',
    async (isAsked) => {
      await start(true, isAsked);
      const answers = await Promise.all([1, 2, 3].map(() => fetch(place)));
      for (const answer of answers) {
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
        const expected = { issuer: issuer.url, token_endpoint: 'https://id.example.com/token' };
        expect(await answer.json()).toMatchObject(expected);
      }
      expect(issuer.asked).toEqual([`${PLACE}/realms/notes`]);
      expect((await fetch(place, { method: 'OPTIONS' })).status).toBe(204);
    },
  );

  it('are not there unless that is wanted', async () => {
    await start(false);
    expect((await fetch(place)).status).toBe(404);
  });

  it('are 503 while the issuer is out of reach, which is not asked by everybody', async () => {
    await start(true);
    issuer.fail(500);
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await fetch(place);
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    }
    expect(issuer.asked).toHaveLength(1);
  });
});
