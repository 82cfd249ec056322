/** Answers the questions of a server on a pipe instead of its client. */
import { commandError } from '../errors/errors';
import { mention } from '../terminal/mention';
import type { ChildServer } from './child-server';
import type { QuestionWatcher } from './held-questions';
import type { MessageShape, RequestShape } from './message-shape';
import type { OwnRequests } from './own-requests';
import { QuestionIds } from './question-ids';
import { QuestionRounds } from './question-rounds';
import type { RecordedSession } from './session-record';
import type { Tap } from './tap';

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
