/** Questions of the server: those to the client of the page wait for the page; those to other clients may be answered here or there. */
import type { QuestionHandlers } from '@sigil-mcp/client';
import { isObject } from '@sigil-mcp/base';
import type { HeldQuestion, QuestionWatcher } from '@sigil-mcp/cli/kit/dev';
import { pageError } from './errors';
import type { SendEvent } from './page-stream';

/** The name by which the traffic shows the page. */
export const PAGE_CLIENT = 'sigil dev page';

/** What a refused question is answered with. */
const REFUSED = 'The question was refused in the page of sigil dev.';

/** A question that waits. */
interface PageQuestion {
  /** @returns false if the client has answered, or if it cannot be answered like that */
  readonly answer: (answer: object) => boolean;
  readonly refuse: () => boolean;
}

/** The questions that wait for an answer. */
export class PageQuestions implements QuestionWatcher {
  readonly #waiting = new Map<number, PageQuestion>();
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

  /** Another client is asked, and may answer first. */
  asked({ method, params, client, entry, answer }: HeldQuestion): () => void {
    // The client of the page asks the page itself.
    if (client === PAGE_CLIENT) return () => undefined;
    const waiting: PageQuestion = {
      answer: (given) => answer({ result: Array.isArray(given) ? { roots: given } : { ...given } }),
      refuse: () => answer({ refused: REFUSED }),
    };
    return this.#show({ method, params, client: client ?? 'a client', entry }, waiting);
  }

  /** Answers a question. @param refused whether the answer is an error of the client @returns false if it does not wait */
  answer(id: unknown, answer: unknown, refused: boolean): boolean {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (!waiting) return false;
    // The server checks it, as it checks that of every client.
    const isAnswer = !refused && (isObject(answer) || Array.isArray(answer));
    return isAnswer ? waiting.answer(answer) : waiting.refuse();
  }

  async #ask(method: string, params: object, signal: AbortSignal): Promise<never> {
    let end = (): void => undefined;
    try {
      return await new Promise<never>((resolve, reject) => {
        const refuse = (): boolean => (reject(pageError('SIGIL_DEV_PAGE_REFUSED')), true);
        // The server reads it.
        end = this.#show({ method, params }, { answer: (given) => (resolve(given as never), true), refuse });
        signal.addEventListener('abort', refuse, { once: true });
      });
    } finally {
      end();
    }
  }

  /** @returns ends the showing */
  #show(question: object, waiting: PageQuestion): () => void {
    const id = (this.#count += 1);
    this.#waiting.set(id, waiting);
    this.#shown.set(id, { id, ...question });
    this.send('question', { id, ...question });
    return () => {
      if (!this.#waiting.delete(id)) return;
      this.#shown.delete(id);
      this.send('answered', { id });
    };
  }
}
