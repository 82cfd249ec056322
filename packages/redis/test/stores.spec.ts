/** The stores in Redis do what every store does, with the clients of both libraries, on a server and on a cluster. */
import { redis } from '@sigil-mcp/redis';
import { describeStores } from '@sigil-mcp/testing/stores';
import { RedisServer } from '../../../test/supplies/redis-server';
import { describeWith } from '../../../test/supplies/supply';
import { CLIENTS, CLUSTER_CLIENTS, type OpenClient } from './clients';

/** Runs the contracts with a client of a Redis that is there for them alone. */
function describeContracts(
  open: (server: RedisServer) => Promise<OpenClient>,
  start: () => Promise<RedisServer>,
): void {
  let server: RedisServer;
  const clients: OpenClient[] = [];
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    clients.forEach((client) => client.close());
    await server.stop();
  });
  describeStores(async (streams) => {
    const namespace = `test${clients.length}`;
    const instances = [await open(server), await open(server)] as const;
    clients.push(...instances);
    const [one, other] = instances;
    return [redis({ client: one.client, namespace, streams }), redis({ client: other.client, namespace, streams })];
  });
}

describeWith('redis-server', 'stores in Redis', () => {
  describe.each(Object.entries(CLIENTS))('with a client of %s', (_, open) => {
    describeContracts(open, () => RedisServer.start());
  });

  describe.each(Object.entries(CLUSTER_CLIENTS))('in a cluster, with a client of %s', (_, open) => {
    describeContracts(open, startCluster);
  });
});

/** One server that has all slots: it refuses commands whose keys are of several. */
async function startCluster(): Promise<RedisServer> {
  const server = await RedisServer.start('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
  const opened = await CLIENTS['node-redis']?.(server);
  const client = opened?.client as { sendCommand(words: readonly string[]): Promise<unknown> };
  await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  while (!String(await client.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  opened?.close();
  return server;
}
