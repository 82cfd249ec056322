/** What is noted of the answers of a server, with which a command explains why there is no MCP server. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../../test/support/free-port';
import { connect } from '@sigil-mcp/client';
import { explainAddress, networkErrorOf, watchedFetch, type HttpEvidence } from '../../src/session/explain-silence';

const POST = { method: 'POST', body: '{}' };

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

it('an answer to a message is noted', async () => {
  const url = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'));
  const evidence: HttpEvidence = {};
  expect(await (await watchedFetch(evidence)(url, POST)).text()).toBe('<h1>Hello</h1>');
  expect(evidence).toEqual({ status: 200, contentType: 'text/html' });
});

it('a message that is refused is noted with its reason, and the client still reads the answer', async () => {
  const url = await serve((_, response) => response.writeHead(401).end('{"message":"Not you"}'));
  const evidence: HttpEvidence = {};
  const fetched = await watchedFetch(evidence)(url, POST);
  expect([fetched.status, await fetched.text()]).toEqual([401, '{"message":"Not you"}']);
  expect(evidence).toMatchObject({ status: 401, refusal: { status: 401, words: 'Not you' } });
});

it('a stream that is refused is no refusal of a message', async () => {
  const url = await serve((_, response) => response.writeHead(405).end());
  const evidence: HttpEvidence = {};
  expect((await watchedFetch(evidence)(url)).status).toBe(405);
  expect(evidence).toEqual({});
});

it('a redirect to another server is not followed, because that server would receive the headers and the message', async () => {
  const requests: string[] = [];
  const url = await serve(({ url: path = '' }, response) => {
    requests.push(path);
    response.writeHead(308, { location: `http://localhost:${new URL(url).port}/new` }).end();
  });
  const evidence: HttpEvidence = {};
  await expect(connect({ url }, { fetch: watchedFetch(evidence) })).rejects.toThrow('redirects to http://localhost');
  expect(new Set(requests)).toEqual(new Set(['/mcp']));
  expect(explainAddress({ kind: 'url', url: new URL(url) }, evidence).message).toMatch(
    /it answered with a redirect to http:\/\/localhost:\d+\/new \(HTTP 308\)/,
  );
});

it('a redirect to another path is followed', async () => {
  const paths: string[] = [];
  const url = await serve(({ url: path = '' }, response) => {
    paths.push(path);
    if (path === '/mcp') response.writeHead(308, { location: '/new' }).end();
    else response.writeHead(404).end();
  });
  const evidence: HttpEvidence = {};
  await expect(connect({ url }, { fetch: watchedFetch(evidence) })).rejects.toThrow();
  expect(paths).toContain('/new');
  expect(evidence).toMatchObject({ status: 404, location: undefined });
});

/** What the client throws of a request to a server. */
async function errorOf(url: string): Promise<unknown> {
  return connect({ url }).catch((error: unknown) => error);
}

it.each<[string, RequestListener]>([
  ['before it answers', (request) => request.socket.destroy()],
  [
    'in the middle of a stream',
    (_, response) => {
      response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n', () => response.destroy());
    },
  ],
])('a connection that breaks off %s is a failure of the network', async (_, answer) => {
  expect(networkErrorOf(await errorOf(await serve(answer)))).toBe('UND_ERR_SOCKET');
});

it('a server that is not there is a failure with the code of the system; an answer is none', async () => {
  expect(networkErrorOf(await errorOf(`http://127.0.0.1:${await freePort()}/`))).toBe('ECONNREFUSED');
  const url = await serve((_, response) => response.writeHead(401).end('No'));
  expect(networkErrorOf(await errorOf(url))).toBeUndefined();
});
