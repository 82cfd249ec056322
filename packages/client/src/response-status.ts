/** What a response says of an error besides its body: how grave it is, and when to come back. */

/** The response in which an error came. */
export interface ResponseStatus {
  /** The HTTP status. */
  readonly status: number;
  /** Seconds after which the server wants to be asked again, by its `Retry-After`; undefined if it does not say. */
  readonly retryAfter: number | undefined;
}

/** Request Timeout, Too Many Requests, Service Unavailable: the server is alive, and has no time. */
const BUSY = [408, 429, 503];
const SERVER_FAULT = 500;

/** What a response says of itself. @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
export function statusOf({ status, headers }: Response): ResponseStatus {
  const wanted = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(wanted)) return { status, retryAfter: Number(wanted) };
  // A date is meant by the clock of the server.
  const at = Date.parse(headers.get('date') ?? '') || Date.now();
  const seconds = Math.ceil((Date.parse(wanted) - at) / 1000);
  return { status, retryAfter: Number.isNaN(seconds) ? undefined : Math.max(seconds, 0) };
}

/** Whether a status asks to come back: it says nothing of the request. */
export function isBusy(status: number | undefined): boolean {
  return status !== undefined && BUSY.includes(status);
}

/** Whether the same request may be answered later. */
export function isPassing(status: number | undefined): boolean {
  return isBusy(status) || (status !== undefined && status >= SERVER_FAULT);
}
