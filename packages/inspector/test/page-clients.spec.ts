/** The clients of the page: one for each speaker, and a new one after its session was lost. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecondLine } from '@sigil-mcp/cli/kit/dev';
import { PageCalls } from '../src/page-calls';
import { PageClients, type PageReach } from '../src/page-clients';
import { PageTasks } from '../src/page-tasks';
import { PageQuestions } from '../src/page-questions';

const SPEAKER = { revision: '2025-11-25', token: undefined };

let server: Server;
let opened = 0;
let lost = '';
/** Called with each request in place of an answer; undefined for a server that answers. */
let onSilence: (() => void) | undefined;
beforeEach(async () => {
  [opened, lost, onSilence] = [0, '', undefined];
  server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that may forget a session. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (onSilence) return onSilence();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = JSON.parse(body) as { id?: number; method: string };
  if (request.headers['mcp-session-id'] === lost) return void response.writeHead(404).end();
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'initialize') opened += 1;
  const headers = { 'content-type': 'application/json', 'mcp-session-id': `session-${opened}` };
  const opening = { protocolVersion: SPEAKER.revision, capabilities: {}, serverInfo: { name: 'x', version: '1' } };
  response
    .writeHead(200, headers)
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? opening : {} }));
}

function reach(): PageReach {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { address, second: new SecondLine(), program: () => undefined };
}

it.each(['2025-11-25', '2026-07-28', undefined])(
  'does not wait for a silent server when it closes (revision: %s)',
  async (revision) => {
    const clients = new PageClients(reach(), new PageQuestions(() => undefined));
    const asked = new Promise<void>((resolve) => (onSilence = resolve));
    const opening = clients.get({ revision, token: undefined });
    opening.catch(() => undefined);
    await asked;
    await clients.close();
    await expect(opening).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
  },
);

it('keeps a client for the next call, and opens another session when its own was lost', async () => {
  const clients = new PageClients(reach(), new PageQuestions(() => undefined));
  const calls = new PageCalls(clients, new PageTasks(() => undefined));
  const ping = () => calls.call(SPEAKER, 'a', { method: 'ping', params: {} });
  try {
    expect(await ping()).toMatchObject({ revision: SPEAKER.revision });
    expect(await ping()).toMatchObject({ revision: SPEAKER.revision });
    expect(opened).toBe(1);
    lost = 'session-1';
    expect(await ping()).toMatchObject({ problem: expect.any(String) });
    expect(await ping()).toMatchObject({ revision: SPEAKER.revision });
    expect(opened).toBe(2);
  } finally {
    await clients.close();
  }
});
