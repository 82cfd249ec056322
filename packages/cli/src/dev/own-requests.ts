/** Requests of sigil itself to the server, on the same pipe as the requests of its client. */
import { describeEnd, type ChildServer } from './child-server';
import type { MessageShape } from './message-shape';
import type { OwnRequest } from './session-record';
import { commandError } from '../errors/errors';

/** Milliseconds for a server to answer. */
const PATIENCE = 30_000;
/** Milliseconds in addition: our own compiler may have blocked this process, so that an answer has arrived but was not read. */
const UNREAD = 500;

/** Separates our answers from those of the client. */
export class OwnRequests {
  readonly #asked = new Map<unknown, (answer: MessageShape) => void>();

  /** Sends a request, and waits for the answer. Rejects if the server ends or takes too long. @param patience milliseconds */
  async ask(
    child: ChildServer,
    { id, text }: Omit<OwnRequest, 'about'>,
    patience: number = PATIENCE,
  ): Promise<MessageShape> {
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<MessageShape>((resolve, reject) => {
      this.#asked.set(id, resolve);
      const late = commandError('SIGIL_DEV_SILENT', { seconds: patience / 1000 });
      timer = setTimeout(() => (timer = setTimeout(() => reject(late), UNREAD)), patience);
    });
    child.send(text);
    const ended = child.ended.then((end) => Promise.reject(commandError('SIGIL_DEV_ENDED', { how: describeEnd(end) })));
    return Promise.race([answered, ended]).finally(() => {
      clearTimeout(timer);
      this.#asked.delete(id);
    });
  }

  /** Takes a message of the server. @returns whether it answers one of our requests */
  hear(message: MessageShape): boolean {
    const answer = message.method === undefined ? this.#asked.get(message.id) : undefined;
    answer?.(message);
    return answer !== undefined;
  }
}
