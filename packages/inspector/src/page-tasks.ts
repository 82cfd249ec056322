/** The tasks that calls of the page have become, with their states: also for a page that is opened later. */
import type { Task } from '@sigil-mcp/client';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { SendEvent } from './page-stream';

/** Tasks that are kept. */
const MOST_TASKS = 50;

/** A task, as the page shows it. */
export interface PageTask {
  /** The name of the page for the call, by which it is cancelled. */
  readonly call: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly task: Task;
  /** Each state and each message, the first one first. */
  readonly history: readonly string[];
}

/** Keeps the tasks of all pages. */
export class PageTasks {
  readonly #kept = new Map<string, PageTask>();

  /** @param hide removes what is sensitive; nothing is hidden if left out */
  constructor(
    private readonly send: SendEvent,
    private readonly hide: <T>(value: T) => T = (value) => value,
  ) {}

  /** The tasks, the oldest first. */
  get all(): readonly PageTask[] {
    return [...this.#kept.values()];
  }

  /** @returns to be called with the task of a call, each time it has changed */
  follow(call: string, { name, args }: { readonly name: string; readonly args: JsonObject }): (task: Task) => void {
    return (task) => {
      const { history = [] } = this.#kept.get(call) ?? {};
      const said = [task.status, task.statusMessage].filter((word) => word !== undefined).join(': ');
      const followed: PageTask = this.hide({
        call,
        name,
        arguments: args,
        task,
        history: history.at(-1) === said ? history : [...history, said],
      });
      this.#kept.set(call, followed);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > MOST_TASKS && oldest !== undefined) this.#kept.delete(oldest);
      this.send('task', followed);
    };
  }
}
