/** The connection to the Redis that instances share. */
// #region connect
import { createClient } from '@redis/client';

/** Milliseconds until the first connection has to be ready. */
const CONNECT = 3000;
/** The longest pause between attempts to reconnect, in milliseconds. */
const LONGEST_PAUSE = 2000;

/** Connects to the Redis at a URL. Rejects if Redis cannot be reached now; a connection that is lost later is reopened. */
export async function connectRedis(url: string) {
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
  // Without a listener, the first connection that is lost would end the process.
  client.on('error', (error: Error) => process.stderr.write(`Redis: ${error.message}\n`));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    client.destroy();
  }, CONNECT);
  try {
    await client.connect();
  } catch (error) {
    const reason = isLate ? `no answer within ${CONNECT} ms` : reasonOf(error);
    throw new Error(`The Redis of REDIS_URL cannot be reached: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  wasReady = true;
  return client;
}

/** An error of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
// #endregion connect
