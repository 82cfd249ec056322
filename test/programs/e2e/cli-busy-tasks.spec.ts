/** `sigil call` of a task whose server has no time for an answer: what a person has said is sent again. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sigil } from './terminal';

const REVISION = '2026-07-28';
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const INTERNAL = { code: -32603, message: 'The store is away.' };

/** How the server refuses an answer. */
interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: object;
}

let server: Server;
let url: string;
let refusal: Refusal;
/** Times that an answer was sent. */
let answers = 0;
/** Times that an answer is refused. */
let refusals = 0;
beforeEach(async () => {
  answers = 0;
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = JSON.parse(body) as { readonly id?: number; readonly method: string };
  const reply = (message: object, { status, headers }: Refusal = { status: 200 }): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  };
  if (method === 'tasks/update' && ++answers <= refusals) return reply({ error: refusal.error ?? INTERNAL }, refusal);
  const result = resultOf(method);
  reply(result ? { result: { resultType: 'complete', ...result } } : { error: { code: -32601, message: 'Unknown' } });
}

function resultOf(method: string): object | undefined {
  const times = { createdAt: '2026-11-30T10:00:00Z', lastUpdatedAt: '2026-11-30T10:00:00Z' };
  const task = { taskId: 't', ...times, ttlMs: null, pollIntervalMs: 200 };
  const asking = { ...task, status: 'input_required', inputRequests: { a: { method: 'roots/list', params: {} } } };
  const done = { ...task, status: 'completed', result: { content: [{ type: 'text', text: 'Done.' }] } };
  const lasting = { ttlMs: 0, cacheScope: 'private' };
  const results: Readonly<Record<string, object>> = {
    'server/discover': { supportedVersions: [REVISION], capabilities: { tools: {}, ...TASKS }, ...lasting },
    'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }], ...lasting },
    'tools/call': { ...asking, resultType: 'task' },
    'tasks/get': answers > refusals ? done : asking,
    'tasks/update': {},
  };
  return results[method];
}

it.each<[string, Refusal]>([
  ['an internal error', { status: 200 }],
  ['503', { status: 503 }],
  [
    '429 and the time to come back',
    { status: 429, headers: { 'retry-after': '1' }, error: { code: -32000, message: 'No' } },
  ],
])('sends an answer again that the server refuses for a time, with %s', async (_what, given) => {
  refusal = given;
  refusals = 1;
  const { status, stdout } = await sigil(['call', url, 'work']);
  expect([status, stdout, answers]).toEqual([0, 'Done.\n', 2]);
});

it('says why, and how to go on, after five times', async () => {
  refusal = { status: 503 };
  refusals = 99;
  const { status, stderr } = await sigil(['call', url, 'work']);
  expect([status, answers]).toEqual([4, 5]);
  expect(stderr).toContain('is unavailable (HTTP 503): The store is away');
  expect(stderr).toContain(`sigil call ${url} --task t`);
});
