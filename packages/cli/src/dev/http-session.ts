/** A session over HTTP as its client knows it, while the servers behind it are replaced. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestId } from '@sigil-mcp/protocol';
import { QuestionIds, type QuestionRoute } from './question-ids';
import { RecordedSession } from './session-record';

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
