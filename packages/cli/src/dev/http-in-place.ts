/** Answers the questions of a server over HTTP instead of its client. */
import type { ServerResponse, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { commandError } from '../errors/errors';
import { mention } from '../terminal/mention';
import type { QuestionWatcher } from './held-questions';
import type { HttpSession } from './http-session';
import { JSON_HEADERS } from './http-sessions';
import { readShapes, type MessageShape, type RequestShape } from './message-shape';
import type { QuestionRoute } from './question-ids';
import { QuestionRounds } from './question-rounds';
import { EXCHANGE_HEADER } from './request-report';
import type { Tap, TappedHead, TappedText } from './tap';
import type { Upstream, UpstreamRequest } from './upstream';

/** One exchange under a tap. */
interface TappedExchange {
  /** Notes a text. @param head undefined where it is known already */
  readonly note: (from: TappedText['from'], text: string | Buffer, head?: TappedHead) => void;
  /** The headers of the client, with the number of the exchange for the server. */
  readonly headers: IncomingHttpHeaders;
}

/** The way to the server and to the clients. */
export interface HttpWays {
  /** Is shown the questions; nobody is if left out. */
  readonly watcher: QuestionWatcher | undefined;
  readonly tap: Tap | undefined;
  /** The current server. */
  readonly upstream: () => Upstream | undefined;
  /** A number for a request that no other has. */
  readonly number: () => number;
  /** Sends a message on a stream of a session. */
  readonly tell: (session: HttpSession, text: string) => void;
}

/** The questions of all clients of a port. */
export class HttpInPlace {
  readonly #rounds: QuestionRounds;

  constructor(private readonly ways: HttpWays) {
    this.#rounds = new QuestionRounds(ways.watcher);
  }

  /** How the questions in a session are answered instead of its client. */
  routeOf(session: HttpSession): QuestionRoute | undefined {
    const { watcher, tap, upstream, tell } = this.ways;
    return (
      watcher && {
        watcher,
        client: () => session.record.client,
        reply: (text, outer) => {
          tap?.note({ from: 'client', text: outer, session: session.record, isInPlace: true });
          const { url, headers: given } = session.origin;
          const headers = { ...given, ...JSON_HEADERS, 'mcp-session-id': session.inner };
          upstream()
            ?.ask({ method: 'POST', url, headers, body: Buffer.from(text) })
            .catch(mention);
        },
        tell: (text) => tell(session, text),
      }
    );
  }

  /** Answers a round of a call that the page has answered. @returns whether it is one */
  takes([message, ...more]: readonly MessageShape[], response: ServerResponse, { note }: TappedExchange): boolean {
    const round = message && more.length === 0 ? this.#rounds.take(message) : undefined;
    round
      ?.then((text) => {
        note('server', text, { line: '200', headers: {} });
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      })
      .catch(() => response.destroy());
    return round !== undefined;
  }

  /** Receives the answers of the server to a request. */
  hear(asked: readonly MessageShape[], answers: readonly MessageShape[], request: UpstreamRequest): void {
    for (const answer of answers)
      this.#rounds.hear(
        asked.find(({ id }) => id === answer.id),
        answer,
        (round) => this.#send(round, request),
      );
  }

  /** Sends a round instead of a client, with its headers. */
  async #send(round: RequestShape, request: UpstreamRequest): Promise<string> {
    const { tap, upstream, number } = this.ways;
    const exchange = number();
    const [server, sent] = [upstream(), JSON.stringify(round)];
    const note = (from: 'client' | 'server', text: string): void =>
      tap?.note({ from, text, session: undefined, exchange, isInPlace: true });
    note('client', sent);
    if (!server) throw commandError('SIGIL_DEV_CLOSED');
    const headers = { ...request.headers, [EXCHANGE_HEADER]: String(exchange) };
    const { text } = await server.ask({ ...request, headers, body: Buffer.from(sent) });
    note('server', text);
    this.hear([round], readShapes(text), request);
    return text;
  }
}

/** Notes nothing without a tap. @param number of the exchange, which no other has */
export function tapExchange(
  tap: Tap | undefined,
  session: HttpSession | undefined,
  { headers }: IncomingMessage,
  number: number,
): TappedExchange {
  if (!tap) return { note: () => undefined, headers };
  return {
    note: (from, text, head) => {
      if (text.length > 0) tap.note({ from, text, session: session?.record, exchange: number, head });
    },
    headers: { ...headers, [EXCHANGE_HEADER]: String(number) },
  };
}

/** The head of an answer. */
export function headOf({ statusCode, headers }: IncomingMessage): TappedHead {
  return { line: String(statusCode), headers };
}
