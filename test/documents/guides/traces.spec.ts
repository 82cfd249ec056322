/** The traces of docs/telemetry.md: one call that asks its user, over each transport, as it is recorded now. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { createServer, tool, type JsonObject, type Server, type ServerOptions } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport } from '@sigil-mcp/fastify';
import { telemetry } from '@sigil-mcp/otel';
import { redis } from '@sigil-mcp/redis';
import { connect } from '@sigil-mcp/testing';
import { z } from 'zod';
import { Recorded } from '../../support/recorded-telemetry';
import { spanTree } from '../../support/span-tree';
import { CLIENTS } from '../../support/supplies/redis-clients';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';

jest.setTimeout(120_000);

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'telemetry.md'), 'utf8');
const recorded = new Recorded();
afterEach(() => recorded.reset());
afterAll(() => recorded.close());

const accept = { action: 'accept', content: { sure: true } };

const alert = tool('alert', { description: 'Warns a city' }, async (_, asked) => {
  trace.getTracer('the handler').startSpan('find people').end();
  const { action } = await asked.elicit(z.object({ sure: z.boolean() }), 'Alert everyone?');
  trace.getTracer('the handler').startSpan('send messages').end();
  return action;
});

/** @param name of its tracer, so that instances differ */
function serverOf(name: string, more: Partial<ServerOptions> = {}): Server {
  const observers = [telemetry({ tracer: trace.getTracer(name) })];
  const requestState = { secrets: ['x'.repeat(40)] };
  return createServer({
    name: 'alerts',
    version: '1.0.0',
    features: [alert],
    logger: false,
    observers,
    requestState,
    ...more,
  });
}

/** What a client does that records spans, too: it writes the ids of its own span into `_meta`. */
async function call(run: (params: JsonObject) => Promise<unknown>): Promise<void> {
  const span = trace.getTracer('the client').startSpan('tools/call alert', { kind: SpanKind.CLIENT });
  const meta: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), meta);
  await run({ name: 'alert', arguments: {}, _meta: meta });
  span.end();
}

async function callOver(url: string, revision: string): Promise<void> {
  const client = await connect(url, { revision, answers: () => accept });
  await call((params) => client.request('tools/call', params));
  await client.close();
}

/** The spans of the call, without those of its handshake. */
function tree(): string {
  const [root] = recorded.spans.filter(({ instrumentationScope: { name } }) => name === 'the client');
  return spanTree(recorded.spans.filter((span) => span.spanContext().traceId === root?.spanContext().traceId));
}

/** The text under a comment of the page. */
function shown(name: string): string {
  const [, text = `There is no <!-- trace: ${name} -->`] =
    new RegExp(`<!-- trace: ${name} -->\n\`\`\`text\n([^]*?)\n\`\`\``).exec(page) ?? [];
  return text;
}

it.each(['2025-11-25', '2026-07-28'])('shows the trace of a call over HTTP, in %s', async (revision) => {
  const server = serverOf('the server');
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1' });
  await server.listen(transport);
  await callOver(transport.url ?? '', revision);
  await server.close();
  expect(tree()).toBe(shown(`http ${revision}`));
});

it('shows the trace of a call over stdio', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serverOf('the server');
  await server.listen(new StdioTransport({ input, output }));
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> =>
    JSON.parse(((await lines.next()) as { value: string }).value) as Record<string, unknown>;
  const write = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
  write({ id: 0, method: 'initialize', params });
  await next();
  write({ method: 'notifications/initialized' });
  await call(async (sent) => {
    write({ id: 1, method: 'tools/call', params: sent });
    const { id, method } = await next();
    expect(method).toBe('elicitation/create');
    write({ id, result: accept });
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: 'accept' }] } });
  });
  await server.close();
  expect(tree()).toBe(shown('stdio'));
});

describeWith('redis-server', 'two instances with a Redis', () => {
  it.each(['2025-11-25', '2026-07-28'])('show the trace of a call that both work on, in %s', async (revision) => {
    const store = await RedisServer.start();
    const clients = await Promise.all([CLIENTS['node-redis']?.(store), CLIENTS['node-redis']?.(store)]);
    const instances = clients.map((opened, index) => {
      if (!opened) throw new Error('There is no client.');
      return serverOf(`instance ${index + 1}`, {
        stores: redis({ client: opened.client, namespace: 'traces', commandTimeout: 50_000 }),
      });
    });
    const transports = instances.map(() => new HttpTransport({ port: 0, host: '127.0.0.1' }));
    await Promise.all(instances.map((instance, index) => instance.listen(transports[index] as HttpTransport)));
    const balancer = await balance(transports.map(({ url }) => url ?? ''));
    await callOver(balancer.url, revision);
    await balancer.close();
    await Promise.all(instances.map((instance) => instance.close()));
    for (const opened of clients) await opened?.close();
    await store.stop();
    expect(tree()).toBe(shown(`redis ${revision}`));
  });
});

/** A load balancer: each round of the call reaches another instance, and everything else the second one. */
async function balance(urls: readonly string[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  let rounds = 0;
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const url = urls[body.includes('"tools/call"') ? rounds++ % urls.length : 1] ?? '';
    const { method, headers } = incoming;
    const passed = send(url, { method, headers: { ...headers, host: new URL(url).host } }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    answer.on('close', () => passed.destroy());
    passed.on('error', () => answer.destroy()).end(body);
  };
  const proxy = createHttpServer((incoming, answer) => void pass(incoming, answer)).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
