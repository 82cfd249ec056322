/** Questions of the server to the client of the page: each waits until a user answers it in the page. */
import type { QuestionHandlers } from '@sigil-mcp/client';
import { isObject } from '@sigil-mcp/base';
import { commandError } from '../errors/errors';
import type { SendEvent } from './page-stream';

/** A question that waits. */
interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** The questions that wait for an answer. */
export class PageQuestions {
  readonly #waiting = new Map<number, Waiting>();
  readonly #shown = new Map<number, object>();
  #count = 0;

  constructor(private readonly send: SendEvent) {}

  /** The handlers of a client, whose questions all come here. */
  get handlers(): QuestionHandlers {
    return {
      onElicit: (form, { signal }) => this.#ask('elicitation/create', form, signal),
      onElicitUrl: (page, { signal }) => this.#ask('elicitation/create', page, signal),
      onSample: (request, { signal }) => this.#ask('sampling/createMessage', request, signal),
      onRoots: ({ signal }) => this.#ask('roots/list', {}, signal),
    };
  }

  /** The questions that wait, for a page that is opened later. */
  get open(): readonly object[] {
    return [...this.#shown.values()];
  }

  /** Answers a question. @param refused whether the answer is an error of the client @returns false if it does not wait */
  answer(id: unknown, answer: unknown, refused: boolean): boolean {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (!waiting) return false;
    if (refused || (!isObject(answer) && !Array.isArray(answer)))
      waiting.reject(commandError('SIGIL_DEV_PAGE_REFUSED'));
    // The server checks it, as it checks that of every client.
    else waiting.resolve(answer as never);
    return true;
  }

  async #ask(method: string, params: object, signal: AbortSignal): Promise<never> {
    const id = (this.#count += 1);
    const question = { id, method, params };
    try {
      return await new Promise<never>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#shown.set(id, question);
        signal.addEventListener('abort', () => reject(commandError('SIGIL_DEV_PAGE_REFUSED')), { once: true });
        this.send('question', question);
      });
    } finally {
      this.#waiting.delete(id);
      this.#shown.delete(id);
      this.send('answered', { id });
    }
  }
}
