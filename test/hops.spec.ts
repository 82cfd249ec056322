/** The way of a call, counted in files of ours between the bytes and the author's method, as the stack of the method has them. */
import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { Feature, Tool, createServer } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport } from '@sigil-mcp/fastify';
import { META_KEYS } from '@sigil-mcp/protocol';

const NEWEST = '2026-07-28';
let stack: string[] = [];

@Feature()
class Stack {
  @Tool('Writes its stack down')
  see(): void {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = Infinity;
    stack = (new Error().stack ?? '').split('\n');
    Error.stackTraceLimit = before;
  }
}

const serverOf = () => createServer({ name: 'hops', version: '1.0.0', features: [Stack], logger: false });
const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'see', _meta: { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} } },
};

/** Source files of the packages, from the bytes to the method. */
function files(): string[] {
  const found = stack.map((frame) => /packages[\\/](\w+[\\/]src[\\/][^:)]+\.ts)/.exec(frame)?.[1]);
  return [...new Set(found.filter((file) => file !== undefined))].reverse().map((file) => file.replaceAll('\\', '/'));
}

it('passes at most six files over stdio', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = serverOf();
  await server.listen(new StdioTransport({ input, output }));
  input.write(`${JSON.stringify(call)}\n`);
  await once(output, 'data');
  await server.close();
  expect(files()).toEqual([
    'core/src/transports/stdio/read-lines.ts',
    'core/src/transports/duplex-channel.ts',
    'core/src/kernel/kernel.ts',
    'core/src/kernel/pending-answer.ts',
    'core/src/kernel/methods/tools.ts',
    'core/src/pipeline/compile-call.ts',
  ]);
});

it('passes at most nine files over HTTP, of which the first reads the body', async () => {
  const server = serverOf();
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false });
  await server.listen(transport);
  const response = await fetch(transport.url ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': NEWEST,
      'mcp-method': 'tools/call',
      'mcp-name': 'see',
    },
    body: JSON.stringify(call),
  });
  expect(response.status).toBe(200);
  await response.text();
  await server.close();
  expect(files()).toEqual([
    'fastify/src/endpoint/collect-body.ts',
    'fastify/src/endpoint/checked-scope.ts',
    'fastify/src/endpoint/register-endpoint.ts',
    'fastify/src/endpoint/post.ts',
    'fastify/src/exchange/exchanges.ts',
    'core/src/kernel/kernel.ts',
    'core/src/kernel/pending-answer.ts',
    'core/src/kernel/methods/tools.ts',
    'core/src/pipeline/compile-call.ts',
  ]);
});
