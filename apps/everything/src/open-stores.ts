/** The stores that instances of this server share if `REDIS_URL` is set. */
// #region open
import type { Stores } from '@sigil-mcp/core/stores';

/** Milliseconds until the first connection has to be ready. */
const CONNECT = 3000;
/** The longest pause between attempts to reconnect, in milliseconds. */
const LONGEST_PAUSE = 2000;

/** Connects to the Redis at a URL. Rejects if Redis cannot be reached now; a connection that is lost later is reopened. */
export async function openStores(url: string): Promise<Stores> {
  // Loaded only here: a server that runs as one process needs neither.
  const [{ createClient }, { redis }] = await Promise.all([import('@redis/client'), import('@sigil-mcp/redis')]);
  let wasReady = false;
  const client = createClient({
    url,
    // Without a connection a command fails at once, and the caller is asked to try again.
    disableOfflineQueue: true,
    // The connection that only receives messages sends pings, too, so that a dead connection is detected.
    pingInterval: 5000,
    socket: {
      reconnectStrategy: (tries, cause) => (wasReady ? Math.min(50 * 2 ** tries, LONGEST_PAUSE) : cause),
    },
  });
  client.on('error', (error: Error) => process.stderr.write(`Redis: ${error.message}\n`));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    client.destroy();
  }, CONNECT);
  try {
    await client.connect();
  } catch (error) {
    const reason = isLate ? `no answer within ${CONNECT} ms` : (error as Error).message;
    throw new Error(`The Redis at ${new URL(url).host} cannot be reached: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  wasReady = true;
  const stores = redis({ client });
  return {
    ...stores,
    close: async () => {
      await stores.close();
      await client.close();
    },
  };
}
// #endregion open
