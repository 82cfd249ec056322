/** The port of code that notes what travels between clients and the server, such as the page of `sigil dev`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RecordedSession } from './session-record';
import type { Cause } from '../causes/describe-cause';

/** Called in this order: `changed`, then `failed` or `built`; again for each change. */
export interface SourceEvents {
  /** A source has changed, and the result is not known yet. */
  changed(): void;
  /** @param cause the compiler's errors */
  failed(cause: Cause): void;
  /** @param program the file to run */
  built(program: string): void;
  /** Some changes will be missed. @param problem the reason, and how to fix it, in one sentence */
  missing(problem: string): void;
}

/** A watch that continues until it is closed. */
export interface SourceWatch {
  /** Looks at the disk, and reports what is there, also if nothing has changed. */
  again(): void;
  close(): Promise<void>;
}

/** One text on its way, as its receiver gets it. */
export interface TappedText {
  readonly from: 'client' | 'server';
  /** One message, or a batch; a body of HTTP may be anything else. */
  readonly text: string | Buffer;
  /** The session of the client; undefined for a request on its own. */
  readonly session: RecordedSession | undefined;
  /** A number for each request of HTTP, shared by what answers it; undefined on a pipe. */
  readonly exchange?: number;
  /** Whether sigil has sent it instead of a client, or has received what was for a client. */
  readonly isInPlace?: boolean;
  /** The head of the request or the answer; undefined on a pipe, and for messages after the first one of a stream. */
  readonly head?: TappedHead | undefined;
}

/** The head of a request or an answer of HTTP. */
export interface TappedHead {
  /** The method and the path, or the status. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

/** Receives every text. It keeps what it is given and does nothing else, because a client waits. */
export interface Tap {
  note(tapped: TappedText): void;
}
