/** Answers the questions of a server on a pipe instead of its client. */
import { commandError } from '../errors/errors';
import { mention } from '../terminal/mention';
import { type ChildServer, describeEnd } from './child-server';
import type { QuestionWatcher } from './held-questions';
import type { MessageShape, RequestShape } from './message-shape';
import { QuestionIds } from './question-ids';
import { QuestionRounds } from './question-rounds';
import type { RecordedSession, OwnRequest } from './session-record';
import type { Tap } from './tap';

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

/** Milliseconds for a round: a person may be debugging the handler. */
const LONGEST_ROUND = 600_000;

/** The way to the server and to the client. */
export interface PipeWays {
  /** Is shown the questions; nobody is if left out. */
  readonly watcher: QuestionWatcher | undefined;
  readonly tap: Tap | undefined;
  readonly session: RecordedSession;
  readonly own: OwnRequests;
  /** The current server. */
  readonly child: () => ChildServer | undefined;
  /** Sends a message to the client. */
  readonly write: (text: string) => void;
}

/** The questions to the client of a pipe. */
export class StdioInPlace {
  /** The questions within the session. */
  readonly ids: QuestionIds;
  readonly #rounds: QuestionRounds;

  constructor(private readonly ways: PipeWays) {
    const { watcher, session, child, write } = ways;
    this.#rounds = new QuestionRounds(watcher);
    this.ids = new QuestionIds(
      watcher && {
        watcher,
        client: () => session.client,
        reply: (text, outer) => {
          this.#note('client', outer);
          child()?.send(text);
        },
        tell: write,
      },
    );
  }

  /** Answers a round of a call that the page has answered. @returns whether it is one */
  takes(message: MessageShape): boolean {
    const round = this.#rounds.take(message);
    round?.then(this.ways.write).catch(mention);
    return round !== undefined;
  }

  /** Receives the answer of the server to a request. */
  hear(request: MessageShape | undefined, answer: MessageShape): void {
    this.#rounds.hear(request, answer, (round) => this.#send(round));
  }

  /** Sends a round instead of the client. */
  async #send(round: RequestShape): Promise<string> {
    const [child, text] = [this.ways.child(), JSON.stringify(round)];
    this.#note('client', text);
    if (!child) throw commandError('SIGIL_DEV_CLOSED');
    const answer = await this.ways.own.ask(child, { id: String(round.id), text }, LONGEST_ROUND);
    const heard = JSON.stringify(answer);
    this.#note('server', heard);
    this.hear(round, answer);
    return heard;
  }

  #note(from: 'client' | 'server', text: string): void {
    const { tap, session } = this.ways;
    tap?.note({ from, text, session, isInPlace: true });
  }
}
