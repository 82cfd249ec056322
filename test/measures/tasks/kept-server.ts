/** The server of `kept.ts`: a wizard that asks twice, on the defaults of `tasks()`, with the memory that its process is given. */
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, tool } from '@sigil-mcp/core';
import { createNodeHandler } from '@sigil-mcp/http/node';
import { MemoryTaskStore, tasks } from '@sigil-mcp/tasks';
import { z } from 'zod';

const Words = z.object({ text: z.string() });
const wizard = tool('wizard', { description: 'Asks twice', task: 'optional' }, async (_, context) => {
  const one = await context.elicit(Words, 'First?', { key: 'one' });
  const two = await context.elicit(Words, 'Second?', { key: 'two' });
  return one.action === 'accept' && two.action === 'accept' ? one.content.text + two.content.text : 'declined';
});
const store = new MemoryTaskStore();
const server = createServer({
  ...{ name: 'measured', version: '1.0.0', logger: false, features: [wizard] },
  extensions: [tasks({ store })],
});
const handler = createNodeHandler(server);
const http = createHttpServer(handler);
http.listen(0, '0.0.0.0', () => process.send?.((http.address() as AddressInfo).port));

/** What the process that started it asks for. */
process.on('message', () => {
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed, ...store.count() });
});
