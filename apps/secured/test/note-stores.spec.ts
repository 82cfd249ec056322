/** The contract of every note store, with two instances that share it. */
import { createClient } from '@redis/client';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { MemoryNoteStore } from '../src/notes/memory-note-store';
import type { NoteStore } from '../src/notes/note-store';
import { RedisNoteStore } from '../src/notes/redis-note-store';

const note = (title: string, text = 'x') => ({ title, text, author: 'ada' });

/** @param stores one for each instance */
function describeNotes(stores: () => readonly [NoteStore, NoteStore]): void {
  it('lists the oldest first, and a replaced note in its old place', async () => {
    const [one, other] = stores();
    expect(await one.put('order', note('b'))).toBe(false);
    expect(await other.put('order', note('a'))).toBe(false);
    expect(await other.put('order', note('b', 'y'))).toBe(true);
    expect(await one.list('order')).toEqual([note('b', 'y'), note('a')]);
    expect(await one.find('order', 'b')).toEqual(note('b', 'y'));
    expect(await one.find('order', 'c')).toBeUndefined();
  });

  it('of many callers who write one title at once, one adds the note and the others replace it', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (stores()[index % 2] as NoteStore).put('busy', note('same'))),
    );
    expect(outcomes.filter((isReplaced) => !isReplaced)).toHaveLength(1);
    expect(await stores()[0].list('busy')).toEqual([note('same')]);
  });

  it('has one folder for each tenant, at every instance', async () => {
    const [one, other] = stores();
    const asked = await Promise.all([one.folderOf('t'), other.folderOf('t'), one.folderOf('t'), other.folderOf('u')]);
    expect(new Set(asked).size).toBe(2);
    expect(asked[3]).not.toBe(asked[0]);
    expect(await other.folderOf('t')).toBe(asked[0]);
  });

  it('returns the removed titles to one of two callers, and keeps the notes of other tenants', async () => {
    const [one, other] = stores();
    for (const title of ['a', 'b']) await one.put('old', note(title));
    await one.put('old}:{new', note('c'));
    const removed = await Promise.all([one.purge('old'), other.purge('old')]);
    expect(removed.flat()).toEqual(['a', 'b']);
    expect(await other.list('old')).toEqual([]);
    expect(await other.list('old}:{new')).toEqual([note('c')]);
  });
}

describe('notes in memory', () => {
  const store = new MemoryNoteStore();
  describeNotes(() => [store, store]);
});

describeWith('redis-server', 'notes in Redis', () => {
  let server: RedisServer;
  let clients: ReturnType<typeof createClient>[];

  beforeAll(async () => {
    server = await RedisServer.start();
    clients = [0, 1].map(() => createClient({ url: server.url, disableOfflineQueue: true }));
    for (const client of clients) await client.on('error', () => undefined).connect();
  });
  afterAll(async () => {
    clients.forEach((client) => client.destroy());
    await server.stop();
  });

  const stores = () => clients.map((client) => new RedisNoteStore(client, 'test')) as [RedisNoteStore, RedisNoteStore];
  describeNotes(stores);

  it('asks the caller to try again after a second without an answer', async () => {
    server.pause();
    try {
      await expect(stores()[0].list('order')).rejects.toMatchObject({ status: 503, retryAfter: 2 });
    } finally {
      server.resume();
    }
  });
});
