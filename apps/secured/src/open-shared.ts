/** The stores that instances of this server share if `REDIS_URL` is set. */
import type { Stores } from '@sigil-mcp/core/stores';
import type { NoteStore } from './notes/note-store';
import { RedisNoteStore } from './notes/redis-note-store';

/** The prefix of all keys. */
const NAMESPACE = 'secured';
/** Milliseconds until the first connection has to be ready. */
const CONNECT = 3000;
/** The longest pause between attempts to reconnect, in milliseconds. */
const LONGEST_PAUSE = 2000;

/** The stores of the server (sessions, streams, changes and rates), and the notes. */
export interface Shared {
  readonly stores: Stores;
  readonly notes: NoteStore;
}

/** Connects to the Redis at a URL. Rejects if Redis cannot be reached now; a connection that is lost later is reopened. */
export async function openShared(url: string): Promise<Shared> {
  // Loaded only here: a single instance needs neither.
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
    const reason = isLate ? `no answer within ${CONNECT} ms` : reasonOf(error);
    throw new Error(`The Redis of REDIS_URL cannot be reached: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  wasReady = true;
  const stores = redis({ client, namespace: NAMESPACE });
  const close = async (): Promise<void> => {
    await stores.close();
    await client.close();
  };
  return { stores: { ...stores, close }, notes: new RedisNoteStore(client, NAMESPACE) };
}

/** An error of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
