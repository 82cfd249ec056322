/** The threads in which projects are compiled: the compiler blocks its thread, and Ctrl-C must work meanwhile. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ErrorWords } from '@sigil-mcp/base';

/** The message to a thread. */
export interface CompileOrder {
  readonly entry: string;
  /** Whether error messages are coloured. */
  readonly hasColors: boolean;
}

/** The answer of a thread: the path of the compiled entry, or a failure for the user. */
export type Compiled =
  { readonly path: string } | { readonly failure: { readonly words: ErrorWords; readonly exitCode: number } };

/**
 * A thread that has compiled stays for the next project, and has loaded the compiler and the types of packages by then. Commands that run
 * at the same time have a thread each.
 *
 * @example
 * const compileThreads = new CompileThreads();
 * await runCli(['inspect'], { compileThreads });
 * await runCli(['call', 'takeNote', 'title=milk'], { compileThreads });
 * await compileThreads.close();
 */
export class CompileThreads {
  readonly #idle: Worker[] = [];

  /** Compiles a project. @param signal ends its thread @throws what the thread throws, or an AbortError */
  async run(order: CompileOrder, signal: AbortSignal): Promise<Compiled> {
    const thread = this.#idle.pop() ?? new Worker(join(__dirname, 'project', 'compile-thread.js'));
    try {
      thread.ref();
      thread.postMessage(order);
      const [answer] = (await once(thread, 'message', { signal })) as [Compiled];
      // A program may end while its threads are idle.
      thread.unref();
      this.#idle.push(thread);
      return answer;
    } catch (error) {
      await thread.terminate();
      throw error;
    }
  }

  /** Ends the threads that are idle. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }
}
