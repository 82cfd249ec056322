/** What instances of this server share, where `REDIS_URL` names a Redis. */
import type { Stores } from '@sigil-mcp/core/stores';

/** Connects to the Redis at a URL. Rejects where it cannot be reached. */
export async function openStores(url: string): Promise<Stores> {
  // Loaded only here: whoever runs one process needs neither.
  const [{ createClient }, { redis }] = await Promise.all([import('@redis/client'), import('@sigil-mcp/redis')]);
  const client = createClient({ url, disableOfflineQueue: true, pingInterval: 5000 });
  client.on('error', (error: Error) => process.stderr.write(`Redis: ${error.message}\n`));
  await client.connect();
  const stores = redis({ client, namespace: 'everything' });
  return {
    ...stores,
    close: async () => {
      await stores.close();
      await client.close();
    },
  };
}
