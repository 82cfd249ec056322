/** The sessions of a port: clients open and end them, and they are opened again at each new server. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isObject, type Clock } from '@sigil-mcp/base';
import type { RequestId } from '@sigil-mcp/protocol';
import { isRequest, isResponse, readShapes, type MessageShape } from './message-shape';
import { QuestionIds, type QuestionRoute } from './questions';
import { listChanges, RecordedSession } from './session-record';
import type { Upstream, UpstreamRequest } from './upstream';

/** A session, stored until its client ends it or no longer seems to use it. */
export class HttpSession {
  readonly record = new RecordedSession();
  readonly questions: QuestionIds;
  /** Requests whose stream ended before their answer: the client has to reconnect for it. */
  readonly detached = new Set<RequestId>();
  /** Error responses for those requests that did not survive a restart. */
  lost: string[] = [];
  /** The time of the last request, in milliseconds of the clock. */
  usedAt = 0;

  constructor(
    /** The session id of the client. */
    readonly id: string,
    /** The session id of the current server. */
    public inner: string,
    /** The URL and the headers with which the session was opened. */
    readonly origin: { readonly url: string; readonly headers: IncomingHttpHeaders },
    /** How its questions are answered instead of its client; nobody does if left out. */
    routeOf?: (session: HttpSession) => QuestionRoute | undefined,
  ) {
    this.questions = new QuestionIds(routeOf?.(this));
  }
}

/** An answer or a message of a server, with the request that it belongs to. */
export interface HttpAnswer {
  readonly session: HttpSession | undefined;
  readonly request: UpstreamRequest;
  /** The messages of the request. */
  readonly read: readonly MessageShape[];
  /** The whole answer, or one message of a stream. */
  readonly text: string;
  readonly head: IncomingMessage;
}

/** Of a message that is posted. */
export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The sessions that clients have opened at a port, by the ids of the clients. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>();

  /** @param routeOf how questions of a session are answered instead of its client; nobody does if left out */
  constructor(
    private readonly clock: Clock,
    private readonly routeOf?: (session: HttpSession) => QuestionRoute | undefined,
  ) {}

  get all(): readonly HttpSession[] {
    return [...this.#sessions.values()];
  }

  /** The session of a request; marks it as used. */
  find(headers: IncomingHttpHeaders): HttpSession | undefined {
    const id = headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (session) session.usedAt = this.clock.elapsed();
    return session;
  }

  /** Drops sessions, because not every client ends its own. @param isOver whether a session is no longer used */
  forget(isOver: (session: HttpSession) => boolean): void {
    for (const session of this.all) if (isOver(session)) this.#sessions.delete(session.id);
  }

  /** Updates the sessions from the requests of clients and the answers of servers. */
  learn(answer: HttpAnswer): void {
    const { session, head } = answer;
    const isGood = (head.statusCode ?? 500) < 300;
    if (!session) return isGood ? this.#open(answer) : undefined;
    // Answers of other paths do not concern the session.
    if (pathOf(answer.request.url) !== pathOf(session.origin.url)) return;
    const isOver = isGood ? answer.request.method === 'DELETE' : head.statusCode === 404;
    if (isOver) this.#sessions.delete(session.id);
    else if (isGood) for (const message of grantedIn(answer)) session.record.note(message);
  }

  /**
   * Opens a session at a server, as its client did at the first one.
   * @param tell sends a message to its client
   * @returns what could not be restored, in sentences
   */
  async renew(session: HttpSession, upstream: Upstream, tell: (text: string) => void): Promise<readonly string[]> {
    const { record, origin } = session;
    if (record.opening === undefined) return [];
    const { 'mcp-session-id': _id, ...known } = origin.headers;
    const post = (text: string, headers: object = {}) =>
      upstream.ask({
        method: 'POST',
        url: origin.url,
        headers: { ...known, ...JSON_HEADERS, ...headers },
        body: Buffer.from(text),
      });
    const opened = await post(record.opening.text);
    if (opened.session === undefined) {
      this.#sessions.delete(session.id);
      return ['A session could not be reopened; its client has to open a new one.'];
    }
    session.inner = opened.session;
    const follow = (text: string) => post(text, { 'mcp-session-id': session.inner });
    const refusals = await record.replay(
      async (text) => void (await follow(text)),
      async ({ text }) => readShapes((await follow(text)).text)[0] ?? {},
    );
    const [answer] = readShapes(opened.text);
    for (const change of record.isOpen ? listChanges(answer?.result?.['capabilities']) : []) tell(change);
    return refusals;
  }

  #open(answer: HttpAnswer): void {
    const { head, request } = answer;
    const id = head.headers['mcp-session-id'];
    const opening = grantedIn(answer).find(({ method }) => method === 'initialize');
    if (!opening || typeof id !== 'string' || this.#sessions.has(id)) return;
    const session = new HttpSession(id, id, { url: request.url, headers: request.headers }, this.routeOf);
    session.usedAt = this.clock.elapsed();
    session.record.note(opening);
    this.#sessions.set(id, session);
  }
}

/** The requests that an answer grants, and the accepted notifications. */
function grantedIn({ read, text }: HttpAnswer): readonly MessageShape[] {
  const answers = readShapes(text).filter((message) => isResponse(message) && isObject(message.result));
  return read.filter((message) => !isRequest(message) || answers.some(({ id }) => id === message.id));
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
