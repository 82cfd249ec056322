/** What instances of this server share, where `REDIS_URL` names a Redis. */
import type { Stores } from '@sigil-mcp/core/stores';
import type { NoteStore } from './notes/note-store';
import { RedisNoteStore } from './notes/redis-note-store';

/** What all keys begin with. */
const NAMESPACE = 'secured';
/** Milliseconds in which there has to be a first connection, on which Redis says something. */
const CONNECT = 3000;
/** Milliseconds between tries after a connection was lost, at most. */
const LONGEST_PAUSE = 2000;

/** Sessions, streams, changes and rates; and the notes. */
export interface Shared {
  readonly stores: Stores;
  readonly notes: NoteStore;
}

/** Connects to the Redis at a URL. Rejects where it cannot be reached now; a connection that is lost later is opened again. */
export async function openShared(url: string): Promise<Shared> {
  // Loaded only here: whoever runs one instance needs neither.
  const [{ createClient }, { redis }] = await Promise.all([import('@redis/client'), import('@sigil-mcp/redis')]);
  let wasReady = false;
  const client = createClient({
    url,
    // Without a connection a command fails at once: whoever called is told to try again.
    disableOfflineQueue: true,
    // The connection that only hears what is published says something, too, so that it is found out where it has died without a word.
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
    const reason = isLate ? `it has said nothing for ${CONNECT} ms` : reasonOf(error);
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

/** An error of several addresses says nothing itself. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
