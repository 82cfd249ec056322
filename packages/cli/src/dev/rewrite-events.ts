/** The events of a server as its client gets them: with ids that no other server behind the same port uses. */
import type { HttpSession } from './http-sessions';
import { isResponse, rewriteEach, type MessageShape } from './message-shape';
import { acknowledgedId, changesFor } from './session-record';
import type { RelayedEvent, UpstreamRequest } from './upstream';

/** Rewrites the events of one stream. */
export class EventRewriter {
  #isFirst = true;

  /** @param isAgain whether the client has received the beginning of this stream already, from another server */
  constructor(
    private readonly generation: number,
    private readonly session: HttpSession | undefined,
    private readonly isAgain: boolean,
  ) {}

  /** The events to pass on in place of one. */
  rewrite(event: RelayedEvent): readonly RelayedEvent[] {
    const id = event.id === undefined ? undefined : `${this.generation}~${event.id}`;
    if (event.data === undefined) return [{ ...event, id }];
    return rewriteEach(event.data, (message, text) => this.#rewriteMessage(message, text)).map((data) => ({
      ...event,
      id,
      data,
    }));
  }

  #rewriteMessage(message: MessageShape, text: string): readonly string[] {
    const renewed = this.#renewal(message);
    if (renewed) return renewed;
    if (isResponse(message)) this.session?.detached.delete(message.id);
    return [this.session?.questions.rename(message) ?? text];
  }

  /** A renewed subscription starts with notifications of the lists that may have changed. */
  #renewal(message: MessageShape): readonly string[] | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst || !this.isAgain) return undefined;
    const id = acknowledgedId(message);
    return id === undefined ? undefined : changesFor(message, id);
  }
}

/** The request to resume a stream, for the server of a generation: it cannot resume from an event of another server. */
export function resumptionOf(request: UpstreamRequest, generation: number): UpstreamRequest {
  const { 'last-event-id': last, ...headers } = request.headers;
  if (typeof last !== 'string') return request;
  const mark = `${generation}~`;
  if (!last.startsWith(mark)) return { ...request, headers };
  return { ...request, headers: { ...headers, 'last-event-id': last.slice(mark.length) } };
}
