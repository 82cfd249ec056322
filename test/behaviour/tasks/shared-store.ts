/** A store that several servers of one process share, as a database would be shared; and a way to cut one of them off from it. */
import {
  MemoryTaskStore,
  type StoredTask,
  type TaskCount,
  type TaskRoom,
  type TaskStore,
  type TextRoom,
} from '@sigil-mcp/tasks';

/** Holds tasks of all servers that use it. */
export class SharedStore extends MemoryTaskStore {
  override readonly isDurable: boolean = true;
  /** Every text that was written. */
  readonly texts: string[] = [];

  override create(task: StoredTask, room: TaskRoom): ReturnType<MemoryTaskStore['create']> {
    this.texts.push(task.text);
    return super.create(task, room);
  }

  override replace(task: StoredTask, room?: TextRoom): ReturnType<MemoryTaskStore['replace']> {
    const isReplaced = super.replace(task, room);
    if (isReplaced === true) this.texts.push(task.text);
    return isReplaced;
  }
}

/** The same store, as a server reaches it whose connection can be cut. */
export class CutStore implements TaskStore {
  readonly isDurable = true;
  isCut = false;
  /** Called before each command, to let something else happen first. */
  before: ((command: string) => void | Promise<void>) | undefined;

  /** Called after each command, before its reply. */
  after: ((command: string) => void | Promise<void>) | undefined;

  constructor(private readonly store: TaskStore) {}

  create(task: StoredTask, room: TaskRoom) {
    return this.#do('create', () => this.store.create(task, room));
  }

  read(id: string) {
    return this.#do('read', () => this.store.read(id));
  }

  replace(task: StoredTask, room?: TextRoom) {
    return this.#do('replace', () => this.store.replace(task, room));
  }

  remove(id: string, version: number) {
    return this.#do('remove', () => this.store.remove(id, version));
  }

  due(now: number, limit: number) {
    return this.#do('due', () => this.store.due(now, limit));
  }

  count(holder?: string): Promise<TaskCount> {
    return this.#do('count', () => this.store.count(holder));
  }

  watch(changed: Parameters<TaskStore['watch']>[0]): () => void {
    return this.store.watch((id, version) => {
      if (!this.isCut) changed(id, version);
    });
  }

  async #do<T>(command: string, run: () => T | Promise<T>): Promise<T> {
    await this.before?.(command);
    if (this.isCut) throw new Error('the store is away');
    const reply = await run();
    await this.after?.(command);
    return reply;
  }
}
