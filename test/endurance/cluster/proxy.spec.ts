/** The load balancer of the cluster test does what one does, and breaks what it is told to. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../support/free-port';
import { settled } from '../../support/watched/settled';
import { RoundRobinProxy, LANE_HEADER } from './proxy/round-robin-proxy';

const servers: Server[] = [];
let proxy: RoundRobinProxy | undefined;

afterEach(async () => {
  await proxy?.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function listen(...ports: number[]): Promise<string> {
  proxy = new RoundRobinProxy(ports);
  return proxy.listen();
}

const lanesOf = async (origin: string, requests: number): Promise<string> => {
  const lanes: (string | null)[] = [];
  for (let request = 0; request < requests; request++) lanes.push((await fetch(origin)).headers.get(LANE_HEADER));
  return lanes.join(' ');
};

describe('the proxy', () => {
  it('sends each request to the next process, with all that it says', async () => {
    const echo: RequestListener = (request, response) => {
      response.writeHead(201, { said: String(request.headers['mcp-session-id']) });
      request.pipe(response);
    };
    const origin = await listen(await serve(echo), await serve(echo), await serve(echo));
    const headers = { 'mcp-session-id': 'one' };
    const answer = await fetch(origin, { method: 'POST', body: 'words', headers });
    expect([answer.status, answer.headers.get('said'), await answer.text()]).toEqual([201, 'one', 'words']);
    expect(await lanesOf(origin, 4)).toBe('1 2 0 1');
  });

  it('passes over a process that takes no connection, and says 502 where none does', async () => {
    const alive = await serve((_, response) => void response.end());
    const origin = await listen(await freePort(), alive);
    expect(await lanesOf(origin, 3)).toBe('1 1 1');
    servers[0]?.close();
    servers[0]?.closeAllConnections();
    expect((await fetch(origin)).status).toBe(502);
  });

  it('breaks an answer off where its process does, and hands on that a client has left', async () => {
    const left = jest.fn();
    const port = await serve((_, response) => {
      response.on('close', left);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const origin = await listen(port);
    const abandoned = new AbortController();
    await fetch(origin, { signal: abandoned.signal });
    abandoned.abort();
    expect(await settled(() => left.mock.calls.length === 1, 5000)).toBe(true);
    const broken = await fetch(origin);
    servers[0]?.closeAllConnections();
    await expect(broken.text()).rejects.toThrow();
  });

  it('cuts a stream, and leaves one dead without a word until it breaks', async () => {
    const open: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      setTimeout(() => response.write('data: 2\n\n'), 100);
    };
    const origin = await listen(await serve(open));
    const cut = await fetch(origin);
    proxy?.streams[0]?.cut();
    await expect(cut.text()).rejects.toThrow();
    const dead = (await fetch(origin)).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await dead?.read()).toEqual({ done: false, value: 'data: 1\n\n' });
    proxy?.streams[0]?.leave(300);
    await expect(dead?.read()).rejects.toThrow();
    expect(await settled(() => proxy?.streams.length === 0, 5000)).toBe(true);
  });
});
