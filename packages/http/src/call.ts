/** An HTTP request on its way through this package. */
import type { Caller, RequestHeaders } from '@sigil-mcp/core';
import { ANONYMOUS, type Account, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { HttpRequest, HttpResponse } from './port';

/** A request, with what has been found out about it. */
export class HttpCall {
  /** Of the kind `anonymous` without authentication. */
  caller: Caller = ANONYMOUS;
  /** Undefined until it has arrived, and for a request without a body. */
  body: Uint8Array | undefined = undefined;
  /** Headers of every answer to it, also of an error. */
  answerHeaders: Readonly<Record<string, string>> | undefined = undefined;
  /** Gives back the memory that was charged for the body while it arrived; undefined if nothing is charged. */
  closeBody: (() => void) | undefined = undefined;

  /** The option that sets the limit because of which its response was aborted; undefined if it was not. */
  abortedBy: string | undefined = undefined;

  constructor(readonly request: HttpRequest) {}

  /** The headers that handlers may see: without the token of the caller. */
  get visibleHeaders(): RequestHeaders {
    const { headers } = this.request;
    return this.caller === ANONYMOUS ? headers : withoutToken(headers);
  }

  /** A header that may come once; undefined without it, and for one that came more than once. */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }
}

/** The key of the client that sends a request: all that one principal, or one address, holds counts together, over all of its sessions. */
export function clientOf({ caller, request }: Pick<HttpCall, 'caller' | 'request'>, account: Account): string {
  return account.clientOf(caller.principal, request.address);
}

/** Headers without a token: one that was refused here may be good elsewhere. */
export function withoutToken({ authorization: _token, ...headers }: RequestHeaders): RequestHeaders {
  return headers;
}

/** Answers a request that has passed the checks of its head. Throws a `Refusal` or a `Denial`, or rejects with one. */
export type RequestHandler = (call: HttpCall) => MaybePromise<HttpResponse>;
