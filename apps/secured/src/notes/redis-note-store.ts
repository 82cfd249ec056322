/** Notes that all instances of the server share. */
import { randomUUID } from 'node:crypto';
import { StoreAway } from '@sigil-mcp/core/stores';
import type { RedisClientType } from '@redis/client';
import type { Note } from './note';
import { NoteStore } from './note-store';

/** Writes a note, and adds its title to the end of the list if it is new. Atomic, as everything here. */
const PUT = `
local isNew = redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if isNew == 1 then redis.call('RPUSH', KEYS[2], ARGV[1]) end
return isNew`;

/** Milliseconds after which a command without an answer has failed. */
const PATIENCE = 1000;

/** The part of a node-redis client that is used here. */
export type NotesClient = Pick<RedisClientType, 'eval' | 'hGet' | 'multi' | 'set'>;

/** The keys of one tenant. The part in braces selects the slot of a cluster. */
interface Keys {
  readonly folder: string;
  /** Notes as JSON, by their titles. */
  readonly notes: string;
  /** Titles in the order in which they were added. */
  readonly titles: string;
}

/** Every method rejects with `StoreAway` if Redis cannot be reached: the call may be tried again. */
export class RedisNoteStore extends NoteStore {
  /** @param namespace the prefix of all keys */
  constructor(
    private readonly client: NotesClient,
    private readonly namespace: string,
  ) {
    super();
  }

  async folderOf(tenant: string): Promise<string> {
    const own = randomUUID();
    // Of two callers who create one at once, the second receives the folder of the first.
    const known = await reached(this.client.set(this.#keys(tenant).folder, own, { condition: 'NX', GET: true }));
    return known ?? own;
  }

  async list(tenant: string): Promise<readonly Note[]> {
    const keys = this.#keys(tenant);
    const read = this.client.multi().lRange(keys.titles, 0, -1).hGetAll(keys.notes);
    const [titles, notes] = await reached(read.execTyped());
    return titles.flatMap((title) => readNote(notes[title]) ?? []);
  }

  async find(tenant: string, title: string): Promise<Note | undefined> {
    return readNote(await reached(this.client.hGet(this.#keys(tenant).notes, title)));
  }

  async put(tenant: string, { title, text, author }: Note): Promise<boolean> {
    const { notes, titles } = this.#keys(tenant);
    const words = [title, JSON.stringify({ title, text, author })];
    return (await reached(this.client.eval(PUT, { keys: [notes, titles], arguments: words }))) === 0;
  }

  async purge(tenant: string): Promise<readonly string[]> {
    const { notes, titles } = this.#keys(tenant);
    const removed = this.client.multi().lRange(titles, 0, -1).del([notes, titles]);
    return (await reached(removed.execTyped()))[0];
  }

  #keys(tenant: string): Keys {
    // A claim may contain any text; encoding keeps its braces and colons out of the key.
    const slot = `${this.namespace}:notes:{${encodeURIComponent(tenant)}}`;
    return { folder: `${slot}:folder`, notes: `${slot}:notes`, titles: `${slot}:titles` };
  }
}

/** Parses a note that this class has written. */
function readNote(text: string | null | undefined): Note | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Note) : undefined;
}

async function reached<T>(sent: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis has not answered for ${PATIENCE} ms.`)), PATIENCE);
  });
  try {
    return await Promise.race([sent, late]);
  } catch (error) {
    throw new StoreAway(error);
  } finally {
    clearTimeout(timer);
  }
}
