/** An instance of the server whose costs are measured: `REDIS` has the ports of the nodes of a cluster of Redis. */
import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { createCluster } from '@redis/client';
import { createServer } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { redis } from '@sigil-mcp/redis';
import { Traffic } from './counted-client';
import { Work } from './work';

async function main(): Promise<void> {
  const traffic = new Traffic();
  const ports = (process.env['REDIS'] ?? '').split(',');
  const client = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) });
  client.on('error', () => undefined);
  await client.connect();
  const server = createServer({
    name: 'simulated',
    version: '1.0.0',
    features: [Work],
    logger: 'error',
    // All clients have one address, so they count as one.
    limits: { subscriptionsPerClient: 100_000, heldPerClient: 128 * 1024 * 1024 },
    requestState: { secrets: ['s'.repeat(32)] },
    stores: redis({ client: traffic.count(client) }),
  });
  const limits = { sessions: 100_000, sessionsPerClient: 100_000, streams: 100_000, streamsPerClient: 100_000 };
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', limits, handleSignals: false });
  await server.listen(transport);
  process.stdout.write(`${new URL(transport.url ?? '').port}\n`);
  // Each line is answered with the counters.
  for await (const _line of createInterface({ input: process.stdin })) {
    const { user, system } = process.cpuUsage();
    process.stdout.write(`${JSON.stringify({ cpu: user + system, ...traffic.read() })}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
