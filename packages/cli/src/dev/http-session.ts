/** A session over HTTP as its client knows it, across the servers that have it one after another. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestId } from '@sigil-mcp/protocol';
import { QuestionIds } from './question-ids';
import { SessionRecord } from './session-record';

/** A session, kept as long as its client keeps it, or seems to. */
export class HttpSession {
  readonly record = new SessionRecord();
  readonly questions = new QuestionIds();
  /** Requests whose stream ended before their answer: the client is to come back for it. */
  readonly detached = new Set<RequestId>();
  /** Error responses to those requests that did not survive a restart. */
  lost: string[] = [];
  /** When its client was last heard of, milliseconds of the clock. */
  usedAt = 0;

  constructor(
    /** The id that the client has. */
    readonly id: string,
    /** The id that the server of the moment has. */
    public inner: string,
    /** The URL and the headers with which the session was opened. */
    readonly origin: { readonly url: string; readonly headers: IncomingHttpHeaders },
  ) {}
}
