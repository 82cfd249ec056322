/** What instances of this server share if `REDIS_URL` is set. */
import type { Stores } from '@sigil-mcp/core/stores';
import type { TaskStore } from '@sigil-mcp/tasks';

/** Opens the stores and the tasks in the Redis at a URL, on one client, which is closed with the stores. Waits until Redis can be reached. */
export async function openShared(url: string): Promise<{ readonly stores: Stores; readonly tasks: TaskStore }> {
  // Loaded only here: a server that runs as one process needs none of them.
  const [{ createClient }, { redis }, { redisTasks }] = await Promise.all([
    import('@redis/client'),
    import('@sigil-mcp/redis'),
    import('@sigil-mcp/tasks/redis'),
  ]);
  const client = createClient({ url, disableOfflineQueue: true, pingInterval: 5000 });
  client.on('error', (error: Error) => process.stderr.write(`Redis: ${error.message}\n`));
  await client.connect();
  const stores = redis({ client });
  const close = async (): Promise<void> => {
    await stores.close();
    await client.close();
  };
  return { stores: { ...stores, close }, tasks: redisTasks(client) };
}
