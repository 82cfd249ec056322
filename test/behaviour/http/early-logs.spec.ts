/** What a tool logs before its response has begun counts against the client, as what it logs later does. */
import { createServer, Feature, McpContext, Tool } from '@sigil-mcp/core';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { request, serve, type OpenServer } from './http-server';

const LOGS = 20_000;

@Feature()
class Chatty {
  @Tool('Logs much at once.')
  chat({ log }: McpContext): string {
    for (let n = 0; n < LOGS; n++) log.warning('x'.repeat(600));
    return 'done';
  }
}

let open: OpenServer;
afterEach(() => open.close());

it('drops logs of one turn beyond what may wait, and sends the result', async () => {
  open = await serve({ features: [Chatty] });
  const session = await open.initialize();
  const { messages, text } = await open.post(request(1, 'tools/call', { name: 'chat', arguments: {} }), session);
  const logs = messages.filter(({ method }) => method === 'notifications/message');
  expect(logs.length).toBeGreaterThan(10);
  expect(logs.length).toBeLessThan(LOGS / 2);
  expect(text.length).toBeLessThan((LOGS * 600) / 2);
  expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
});

it('a body that breaks off in the fetch adapter is refused, and is nothing for the log', async () => {
  open = await serve({ features: [Chatty] });
  const lines: unknown[] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  const logger = { debug: () => undefined, info: () => undefined, warn: log, error: log };
  const server = createServer({ name: 'fetch', version: '1.0.0', logger, features: [Chatty] });
  const handle = createFetchHandler(server, { isLoopback: true, sessions: false });
  let pieces = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (pieces++ === 0) controller.enqueue(new TextEncoder().encode('{"j'));
      else controller.error(new Error('aborted'));
    },
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const given = { method: 'POST', headers, body, duplex: 'half' as const };
  expect((await handle(new Request('http://localhost/mcp', given))).status).toBe(400);
  expect(lines).toEqual([]);
  await handle.close();
});
