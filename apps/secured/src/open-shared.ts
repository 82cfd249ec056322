/** What instances of this server share if `REDIS_URL` is set. */
import type { Stores } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import type { TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { connectRedis } from './connect-redis';
import type { NoteStore } from './notes/note-store';
import { RedisNoteStore } from './notes/redis-note-store';

/** The prefix of all keys. */
const NAMESPACE = 'secured';

/** The stores of the server (sessions, streams, changes and rates), its tasks, and the notes. */
export interface Shared {
  readonly stores: Stores;
  readonly tasks: TaskStore;
  readonly notes: NoteStore;
}

/** Opens them on one client, which is closed with the stores: a server closes its extensions first, and its stores last. */
export async function openShared(url: string): Promise<Shared> {
  // #region share
  const client = await connectRedis(url);
  const stores = redis({ client, namespace: NAMESPACE });
  const close = async (): Promise<void> => {
    await stores.close();
    await client.close();
  };
  return {
    stores: { ...stores, close },
    tasks: redisTasks(client, { prefix: `${NAMESPACE}:tasks` }),
    notes: new RedisNoteStore(client, NAMESPACE),
  };
  // #endregion share
}
