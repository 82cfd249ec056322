/** The stores in Redis do what every store does, with the clients of both libraries, on a server and on a cluster. */
import { redis } from '@sigil-mcp/redis';
import { describeStores } from '@sigil-mcp/testing/stores';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { CLIENTS, CLUSTER_CLIENTS, startCluster, type OpenClient } from '../../../test/support/supplies/redis-clients';

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
    // A busy machine may take longer for a command than a server waits.
    const options = { namespace, streams, commandTimeout: 250_000 };
    return [redis({ client: one.client, ...options }), redis({ client: other.client, ...options })];
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
