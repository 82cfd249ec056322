/** The tasks that instances of this server share if `REDIS_URL` is set. */
import type { TaskStore } from '@sigil-mcp/tasks';

/** Connects to the Redis at a URL, which `openStores` has reached; a connection that is lost is reopened. */
export async function openTaskStore(url: string): Promise<TaskStore> {
  // Loaded only here: a server that runs as one process needs neither.
  const [{ createClient }, { redisTasks }] = await Promise.all([
    import('@redis/client'),
    import('@sigil-mcp/tasks/redis'),
  ]);
  const client = createClient({ url, pingInterval: 5000 });
  client.on('error', (error: Error) => process.stderr.write(`Redis: ${error.message}\n`));
  await client.connect();
  const store = redisTasks(client);
  const end = store.close?.bind(store);
  const close = async (): Promise<void> => {
    await end?.();
    client.destroy();
  };
  return Object.assign(store, { close });
}
