/**
 * Tasks that subscriptions of this process name, where instances share tasks and nothing else: what another instance has changed is found in
 * the store.
 */
import type { TaskBoard } from '../board';
import { isEnded, type TaskState } from '../record/task-state';

/** Made for a server without stores whose store of tasks others can share. */
export class ListenedTasks {
  /** How many subscriptions name a task, by its id. */
  readonly #counts = new Map<string, number>();
  /** What was told last of each. */
  readonly #told = new Map<string, string>();

  /** @param notify sends a task to the subscriptions of this process */
  constructor(
    private readonly board: TaskBoard,
    private readonly notify: (state: TaskState) => void,
  ) {}

  /** A subscription has begun; its tasks are watched until its signal fires, or until they end. */
  add(states: readonly TaskState[], signal: AbortSignal): void {
    for (const state of states) {
      this.#counts.set(state.id, (this.#counts.get(state.id) ?? 0) + 1);
      this.#remember(state);
    }
    signal.addEventListener('abort', () => states.forEach(({ id }) => this.#remove(id)), { once: true });
  }

  /** A change of this process was told. */
  told(state: TaskState): void {
    if (this.#counts.has(state.id)) this.#remember(state);
  }

  /** A task was changed, by any process; undefined where changes may have been missed. */
  async changed(id: string | undefined): Promise<void> {
    const ids = id === undefined ? [...this.#counts.keys()] : [id];
    for (const each of ids) if (this.#counts.has(each)) await this.#look(each);
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
