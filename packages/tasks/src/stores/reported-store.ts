/** A store whose failures are reported: clients are only told that it is unreachable, and the operator needs the reason. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { TaskStore } from './task-store';

/** The commands of a store; each that fails is reported, and rejects then. */
export function reportedStore(store: TaskStore, failed: (error: unknown) => void): TaskStore {
  const run = async <T>(command: () => MaybePromise<T>): Promise<T> => {
    try {
      return await command();
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    isDurable: store.isDurable,
    ...(store.newId && { newId: (holder) => store.newId?.(holder) ?? '' }),
    create: (task, room) => run(() => store.create(task, room)),
    read: (id) => run(() => store.read(id)),
    replace: (task, room) => run(() => store.replace(task, room)),
    remove: (id, version) => run(() => store.remove(id, version)),
    ...(store.now && { now: () => run(async () => (await store.now?.()) ?? 0) }),
    ...(store.dropEnded && {
      dropEnded: (most, holder) => run(async () => (await store.dropEnded?.(most, holder)) ?? false),
    }),
    due: (now, limit, skip) => run(() => store.due(now, limit, skip)),
    count: (holder) => run(() => store.count(holder)),
    watch: (changed) => store.watch(changed),
  };
}
