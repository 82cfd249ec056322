/** What is noted of the answers of a server, with which a command explains why there is no MCP server. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../../test/support/free-port';
import { watchedFetch, type HttpEvidence } from '../../src/session/explain-silence';

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

it('an answer is noted, and forgets that the network had failed', async () => {
  const url = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'));
  const evidence: HttpEvidence = { networkError: 'ECONNRESET' };
  expect(await (await watchedFetch(evidence)(url)).text()).toBe('<h1>Hello</h1>');
  expect(evidence).toEqual({ status: 200, contentType: 'text/html' });
});

it('a message that is refused is noted with its reason, and the client still reads the answer', async () => {
  const url = await serve((_, response) => response.writeHead(401).end('{"message":"Not you"}'));
  const evidence: HttpEvidence = {};
  const fetched = await watchedFetch(evidence)(url, { method: 'POST', body: '{}' });
  expect([fetched.status, await fetched.text()]).toEqual([401, '{"message":"Not you"}']);
  expect(evidence).toMatchObject({ status: 401, refusal: { status: 401, words: 'Not you' } });
});

it('a stream that is refused is no refusal of a message', async () => {
  const url = await serve((_, response) => response.writeHead(405).end());
  const evidence: HttpEvidence = {};
  expect((await watchedFetch(evidence)(url)).status).toBe(405);
  expect(evidence).toEqual({ status: 405, contentType: '' });
});

it('a stream comes through event by event, and its end is no failure', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n');
    setImmediate(() => response.end('data: 2\n\n'));
  });
  const evidence: HttpEvidence = {};
  expect(await (await watchedFetch(evidence)(url)).text()).toBe('data: 1\n\ndata: 2\n\n');
  expect(evidence.networkError).toBeUndefined();
});

it('a stream that breaks off is a failure of the network, and is told at once', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n', () => response.destroy());
  });
  let told = 0;
  const evidence: HttpEvidence = { onNetworkError: () => (told += 1) };
  const fetched = await watchedFetch(evidence)(url);
  await expect(fetched.text()).rejects.toThrow('terminated');
  expect([evidence.networkError, told]).toEqual([expect.any(String), 1]);
});

it('a server that is not there is noted with the code of the system', async () => {
  const evidence: HttpEvidence = {};
  await expect(watchedFetch(evidence)(`http://127.0.0.1:${await freePort()}/`)).rejects.toThrow('fetch failed');
  expect(evidence).toMatchObject({ networkError: 'ECONNREFUSED' });
});
