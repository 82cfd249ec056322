/** What closed clients leave behind: no timer, no socket, no process, no memory. */
import { connect, type ConnectTarget } from '@sigil-mcp/client';
import { createServer, Feature, McpContext, MemoryTransport, Tool, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { ManualClock } from '@sigil-mcp/testing';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

@Feature()
class Counter {
  @Tool('Counts to three, aloud.')
  async count(context: McpContext): Promise<string> {
    for (const step of [1, 2, 3]) await context.progress(step);
    return '3';
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

function newServer(): Server {
  const server = createServer({ name: 'leftovers', version: '1.0.0', logger: false, features: [Counter] });
  servers.push(server);
  return server;
}

async function overMemory(): Promise<ConnectTarget> {
  const memory = new MemoryTransport();
  await newServer().listen(memory);
  return { memory };
}

async function overHttp(): Promise<ConnectTarget> {
  const transport = new HttpTransport({ port: 0, handleSignals: false });
  await newServer().listen(transport);
  return { url: transport.url ?? '' };
}

const WAYS: [string, string, () => Promise<ConnectTarget>][] = [
  ['memory', '2026-07-28', overMemory],
  ['HTTP', '2026-07-28', overHttp],
  ['HTTP', '2025-11-25', overHttp],
];

it.each(WAYS)(
  'a hundred clients over %s in revision %s',
  async (_way, revision, open) => {
    const target = await open();
    const clock = new ManualClock();
    const use = async (): Promise<void> => {
      const client = await connect(target, { revision, clock });
      const stop = new AbortController();
      const steps: number[] = [];
      await client.callTool('count', {}, { onProgress: ({ progress }) => steps.push(progress) });
      const cancelled = client.callTool('count', {}, { signal: stop.signal }).catch(() => 'cancelled');
      stop.abort();
      expect([steps, await cancelled]).toEqual([[1, 2, 3], 'cancelled']);
      await client.close();
    };
    // What a process makes once, such as pooled connections, is made before.
    for (let n = 0; n < 20; n++) await use();
    const sockets = countOf('TCPSocketWrap');
    collect();
    const { heapUsed } = process.memoryUsage();
    for (let n = 0; n < 100; n++) await use();
    // What a closed client has aborted ends in a later turn.
    while (clock.pending > 0) await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(countOf('TCPSocketWrap')).toBeLessThanOrEqual(sockets + 4);
    // A client that is kept holds 30 KiB or more.
    expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(2_000_000);
  },
  120_000,
);

function countOf(kind: string): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === kind).length;
}
