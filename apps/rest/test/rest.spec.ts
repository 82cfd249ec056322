/** The wrapper of a REST API on every revision, against a tracker that fails in the usual ways. */
import './matchers';
import './quiet';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eachRevision } from '@sigil-mcp/testing';
import { RestSettings, type Patience } from '../src/rest/rest-settings';
import { issuesServer, sampleServer } from '../src/server';

const leak = { number: 7, title: 'It leaks', state: 'open', body: 'Everywhere.', assignee: 'ada@example.com' };
const json = { 'content-type': 'application/json' };

type Handle = (request: IncomingMessage, response: ServerResponse, count: number) => void;

let tracker: Server;
let requests: IncomingMessage[] = [];
/** The tracker's response to each request; `count` is 1 for the first. */
let handle: Handle;

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handle =>
  (_request, response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));

beforeAll(async () => {
  tracker = createServer((request, response) => {
    requests.push(request);
    request.resume();
    handle(request, response, requests.length);
  }).listen(0, '127.0.0.1');
  await once(tracker, 'listening');
});
beforeEach(() => void (requests = []));
afterAll(() => {
  tracker.closeAllConnections();
  tracker.close();
});

const server = (patience: Partial<Patience> = {}) => {
  const { port } = tracker.address() as AddressInfo;
  return issuesServer(new RestSettings(`http://127.0.0.1:${port}/api/`, 'secret', { firstWait: 5, ...patience }));
};

eachRevision('shows the declared fields of an issue, and no other fields of the API', async ({ connect }) => {
  handle = (request, ...rest) => answer(200, request.url?.includes('?') ? [leak] : leak)(request, ...rest);
  const client = await connect(server());
  expect(await client.callTool('getIssue', { number: 7 })).toHaveStructured({ title: 'It leaks', state: 'open' });
  const found = await client.callTool('searchIssues', { text: 'pipe & water' });
  expect(found).toHaveStructured({ issues: [{ number: 7 }] });
  expect(found).not.toHaveText(/assignee|ada@/);
  expect(await client.readResource('issues://7')).toHaveText(/It leaks/);
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/issues/7',
    '/api/issues?q=pipe+%26+water&state=open',
    '/api/issues/7',
  ]);
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret', accept: 'application/json' });
});

eachRevision('says what to do if nothing is found, or access is denied', async ({ connect }) => {
  handle = answer(404, {});
  const client = await connect(server());
  expect(await client.callTool('getIssue', { number: 9 })).toBeToolError(
    'There is no issue 9. Look for its number with searchIssues.',
  );
  await expect(client.readResource('issues://9')).rejects.toBeRpcError();
  handle = answer(401, {});
  expect(await client.callTool('getIssue', { number: 9 })).toBeToolError(/has to set TRACKER_TOKEN/);
});

eachRevision('tries again after a broken connection, and when the API says so', async ({ connect }) => {
  handle = (request, response, count) => {
    if (count === 1) request.socket.destroy();
    else answer(count === 2 ? 503 : 200, leak, count === 2 ? { 'retry-after': '0' } : {})(request, response, count);
  };
  const client = await connect(server());
  expect(await client.callTool('getIssue', { number: 7 })).toHaveStructured({ number: 7 });
  expect(requests).toHaveLength(3);
});

eachRevision('gives up, and says when it is worth another try', async ({ connect }) => {
  handle = answer(429, {}, { 'retry-after': '120' });
  const client = await connect(server({ tries: 3 }));
  expect(await client.callTool('getIssue', { number: 7 })).toBeToolError(
    'The tracker answers with HTTP 429. Try again in 120 seconds.',
  );
  expect(requests).toHaveLength(1);
  handle = answer(502, {});
  expect(await client.callTool('getIssue', { number: 7 })).toBeToolError(
    'The tracker answers with HTTP 502. Try again in a second.',
  );
  expect(requests).toHaveLength(4);
});

eachRevision('waits no longer than its limit for an API that does not answer', async ({ connect }) => {
  handle = () => undefined;
  const client = await connect(server({ tries: 2, timeLimit: 50 }));
  expect(await client.callTool('getIssue', { number: 7 })).toBeToolError(
    /^The tracker does not answer in time\. Try again/,
  );
});

eachRevision('asks no more than it has to', async ({ connect }) => {
  handle = answer(200, leak, { 'cache-control': 'max-age=60' });
  const client = await connect(server());
  for (let read = 0; read < 3; read += 1) await client.callTool('getIssue', { number: 7 });
  expect(requests).toHaveLength(1);

  handle = answer(200, { ...leak, number: 8 }, { etag: '"a"' });
  await client.callTool('getIssue', { number: 8 });
  handle = (request, response) => void response.writeHead(request.headers['if-none-match'] === '"a"' ? 304 : 500).end();
  expect(await client.callTool('getIssue', { number: 8 })).toHaveStructured({ number: 8, title: 'It leaks' });
  expect(await client.callTool('getIssue', { number: 8 })).toHaveStructured({ number: 8 });
  expect(requests).toHaveLength(4);
});

eachRevision('writes a comment once, even if it is sent again, and reads the issue again', async ({ connect }) => {
  handle = (request, response, count) => {
    if (request.method === 'POST') answer(count === 2 ? 503 : 201, {})(request, response, count);
    else answer(200, leak, { 'cache-control': 'max-age=60' })(request, response, count);
  };
  const client = await connect(server());
  expect(await client.callTool('comment', { number: 7, text: 'Fixed.' })).toHaveText('Commented "It leaks".');
  const [first, second] = requests
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/./);
  expect(second).toBe(first);
  await client.callTool('getIssue', { number: 7 });
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'GET']);
});

eachRevision('ends the request when the call is cancelled', async ({ connect }) => {
  const came = new Promise<IncomingMessage>((resolve) => (handle = (request) => resolve(request)));
  const client = await connect(server());
  const { id, result } = client.start('tools/call', { name: 'getIssue', arguments: { number: 7 } });
  result.catch(() => undefined);
  const { socket } = await came;
  const closed = once(socket, 'close');
  client.cancel(id);
  await closed;
  expect(requests).toHaveLength(1);
});

eachRevision(
  'has issues of a sample tracker, which is overloaded at first, without a tracker of your own',
  async ({ connect }) => {
    const client = await connect(sampleServer());
    const found = await client.callTool('searchIssues', { text: 'leak' });
    expect(found).toHaveStructured({ issues: [{ number: 3, title: 'The export leaks memory' }] });
    expect(found).not.toHaveText(/assignee|ada@/);
    const all = await client.callTool('searchIssues', { text: 'i', state: 'all' });
    expect(all).toHaveText(/Dates are wrong in Lisbon/);
    expect(await client.callTool('comment', { number: 3, text: 'Fixed.' })).toHaveText(/Commented/);
    expect(await client.callTool('getIssue', { number: 9 })).toBeToolError(/There is no issue 9/);
  },
);
