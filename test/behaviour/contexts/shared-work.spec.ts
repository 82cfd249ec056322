/** What a server does once for several callers belongs to none of them: records are delivered, and keys fetched, outside of requests. */
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { audit } from '@sigil-mcp/audit';
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { introspection, jwt } from '@sigil-mcp/oauth';
import { issuer as openIssuer } from '@sigil-mcp/testing';
import { until } from '../../support/until';
import { as, PROGRAM, serve, user } from './requests-of-users';

@Feature()
class Desk {
  @Tool('Says whose request it is in')
  who(): string {
    return user();
  }
}

it.each([
  ['at once', true],
  ['in batches', false],
])('records are delivered %s outside of the requests that they are about', async (_way, isImmediate) => {
  const seen: [user: string, records: number][] = [];
  let isFailing = false;
  const write = (lines: readonly string[]): void => {
    seen.push([user(), lines.length]);
    if (isFailing) throw new Error('The disk is full.');
  };
  const observer = as(PROGRAM, () => audit({ sink: { isImmediate, write }, secret: 's'.repeat(32) }));
  const server = createServer({
    name: 'desk',
    version: '1.0.0',
    logger: false,
    features: [Desk],
    observers: [observer],
  });
  const served = await serve(server);
  const [ada, eve] = [await served.meet('ada'), await served.meet('eve')];
  isFailing = true;
  await ada.callTool('who', {});
  await until(() => seen.length > 1);
  isFailing = false;
  await Promise.all([eve.callTool('who', {}), ada.callTool('who', {})]);
  await served.close();
  expect(seen.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(3);
  expect([...new Set(seen.map(([one]) => one))]).toEqual([PROGRAM]);
});

/** Users of `fetch`, by the URL. */
function watchFetch(): { readonly of: Map<string, string>; undo(): void } {
  const { fetch } = globalThis;
  const of = new Map<string, string>();
  globalThis.fetch = (input, init) => {
    of.set(new URL(input instanceof Request ? input.url : input).pathname, user());
    return fetch(input, init);
  };
  return { of, undo: () => void (globalThis.fetch = fetch) };
}

it('the keys of an issuer are fetched outside of the request whose token needs them', async () => {
  const issuer = await openIssuer();
  const auth = as(PROGRAM, () => jwt({ issuer: issuer.url, resource: 'https://mcp.example.com/mcp' }));
  const served = await serve(createServer({ name: 'desk', version: '1.0.0', logger: false, features: [Desk] }), {
    auth,
  });
  const watched = watchFetch();
  const token = issuer.token({ aud: 'https://mcp.example.com/mcp' });
  const ada = await served.meet('ada', { headers: { authorization: `Bearer ${token}` } });
  expect(await ada.callTool('who', {})).toMatchObject({ content: [{ text: 'ada' }] });
  watched.undo();
  const asked = [...watched.of].filter(([path]) => path !== '/mcp');
  expect(asked.length).toBeGreaterThan(0);
  expect([...new Set(asked.map(([, one]) => one))]).toEqual([PROGRAM]);
  await served.close();
  await issuer.close();
});

it('a token that several requests have is asked about outside of all of them', async () => {
  const http = createHttp(
    (_request, response) =>
      void response.end(JSON.stringify({ active: true, sub: 'ada', aud: 'https://mcp.example.com/mcp' })),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/introspect`;
  const issuer = url.replace('/introspect', '');
  const auth = as(PROGRAM, () =>
    introspection({ issuer, url, clientId: 'a', clientSecret: 'b', resource: 'https://mcp.example.com/mcp' }),
  );
  const served = await serve(createServer({ name: 'desk', version: '1.0.0', logger: false, features: [Desk] }), {
    auth,
  });
  const watched = watchFetch();
  const headers = { authorization: 'Bearer opaque' };
  const clients = await Promise.all(['ada', 'eve'].map((name) => served.meet(name, { headers })));
  expect(await clients[1]?.callTool('who', {})).toMatchObject({ content: [{ text: 'eve' }] });
  watched.undo();
  expect(watched.of.get('/introspect')).toBe(PROGRAM);
  await served.close();
  await new Promise((resolve) => http.close(resolve));
});
