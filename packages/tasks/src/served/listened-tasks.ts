/**
 * Tasks that subscriptions of this process name, where instances share tasks and nothing else: what another instance has changed is found in
 * the store.
 */
import type { TaskBoard } from '../board';
import { isEnded, type TaskState } from '../record/task-state';

/** A subscription that has not begun yet: its tasks are being read. */
interface PendingSubscription {
  readonly ids: ReadonlySet<string>;
  /** What has to be read, because it was not, or has changed since. */
  readonly unread: Set<string>;
}

/** Made for a server without stores whose store of tasks others can share. */
export class ListenedTasks {
  readonly #beginnings = new Set<PendingSubscription>();
  /** How many subscriptions name a task, by its id. */
  readonly #counts = new Map<string, number>();
  /** What was told last of each. */
  readonly #told = new Map<string, string>();

  /** @param notify sends a task to the subscriptions of this process */
  constructor(
    private readonly board: TaskBoard,
    private readonly notify: (state: TaskState) => void,
  ) {}

  /**
   * Reads the tasks of a subscription that begins. They are watched from then on, until its signal fires or until they end, and what changes
   * while they are read is read again: nothing falls between.
   * @param read the states of those ids that the caller may know
   */
  async begin(
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<readonly TaskState[]>,
    signal: AbortSignal,
  ): Promise<readonly TaskState[]> {
    const beginning: PendingSubscription = { ids: new Set(ids), unread: new Set(ids) };
    const states = new Map<string, TaskState>();
    this.#beginnings.add(beginning);
    try {
      while (beginning.unread.size > 0 && !signal.aborted) {
        const round = [...beginning.unread];
        beginning.unread.clear();
        for (const id of round) states.delete(id);
        for (const state of await read(round)) states.set(state.id, state);
      }
    } finally {
      this.#beginnings.delete(beginning);
    }
    const found = [...states.values()];
    if (!signal.aborted) this.#add(found, signal);
    return found;
  }

  #add(states: readonly TaskState[], signal: AbortSignal): void {
    for (const state of states) {
      this.#counts.set(state.id, (this.#counts.get(state.id) ?? 0) + 1);
      this.#remember(state);
    }
    signal.addEventListener('abort', () => states.forEach(({ id }) => this.#remove(id)), { once: true });
  }

  /** A change of this process was told. */
  told(state: TaskState): void {
    this.#reread(state.id);
    if (this.#counts.has(state.id)) this.#remember(state);
  }

  /** A task was changed, by any process; undefined where changes may have been missed. */
  async changed(id: string | undefined): Promise<void> {
    this.#reread(id);
    const ids = id === undefined ? [...this.#counts.keys()] : [id];
    for (const each of ids) if (this.#counts.has(each)) await this.#look(each);
  }

  /** @param id undefined for all */
  #reread(id: string | undefined): void {
    for (const { ids, unread } of this.#beginnings)
      for (const each of id === undefined ? ids : [id]) if (ids.has(each)) unread.add(each);
  }

  async #look(id: string): Promise<void> {
    const state = await this.board.read(id);
    if (!state) return this.#forget(id);
    if (this.#told.get(id) === versionOf(state)) return;
    this.#remember(state);
    this.notify(state);
  }

  /** A task that has ended does not change any more. */
  #remember(state: TaskState): void {
    if (isEnded(state)) this.#forget(state.id);
    else this.#told.set(state.id, versionOf(state));
  }

  #remove(id: string): void {
    const count = (this.#counts.get(id) ?? 1) - 1;
    if (count === 0) this.#forget(id);
    else this.#counts.set(id, count);
  }

  #forget(id: string): void {
    this.#counts.delete(id);
    this.#told.delete(id);
  }
}

/** A text that is another one when clients see a difference. */
function versionOf({ status, message, questions }: TaskState): string {
  return JSON.stringify([status, message, Object.keys(questions)]);
}
