/** What changes in the events of a server before its client hears them: ids that another server may use as well. */
import { writeNotification, writeRequest } from '@sigil-mcp/protocol';
import type { RelayedEvent } from './event-relay';
import type { HttpSession } from './http-session';
import { isRequest, readShapes, type MessageShape } from './message-shape';
import { acknowledgedId, changesFor } from './subscription-record';

const NOTHING_ELSE = { id: undefined, others: ['event: message'] };

/** Rewrites the events of one stream. */
export class EventRewriter {
  #isFirst = true;

  /** @param isAgain whether the client has heard the beginning of this stream already, from another server */
  constructor(
    private readonly generation: number,
    private readonly session: HttpSession | undefined,
    private readonly isAgain: boolean,
  ) {}

  /** The events to pass on in the place of one. */
  rewrite(event: RelayedEvent): readonly RelayedEvent[] {
    const id = event.id === undefined ? undefined : `${this.generation}~${event.id}`;
    const messages = event.data === undefined ? [] : readShapes(event.data);
    const [message] = messages;
    if (messages.length !== 1 || !message) return [{ ...event, id }];
    const renewed = this.#renewal(message);
    if (renewed) return renewed.map((data) => ({ ...NOTHING_ELSE, data }));
    this.session?.detached.delete(message.id ?? '');
    const data = this.#rename(message);
    return [{ ...event, id, ...(data !== undefined && { data }) }];
  }

  /** A subscription that was made again begins with what may have changed. */
  #renewal(message: MessageShape): readonly string[] | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst || !this.isAgain) return undefined;
    const id = acknowledgedId(message);
    return id === undefined ? undefined : changesFor(message, id);
  }

  /** Undefined where nothing has to be renamed. */
  #rename(message: MessageShape): string | undefined {
    const { session } = this;
    if (!session) return undefined;
    if (isRequest(message)) {
      const { method, params } = message;
      // What the server sent as JSON is sent on.
      const id = session.questions.send(message.id);
      return writeRequest({ jsonrpc: '2.0', id, method, ...(params && { params: params as never }) });
    }
    if (message.method !== 'notifications/cancelled') return undefined;
    const requestId = session.questions.withdraw(message.params?.['requestId']);
    if (requestId === undefined) return undefined;
    return writeNotification({ jsonrpc: '2.0', method: message.method, params: { requestId } });
  }
}

/** The id of an event as the server of this generation knows it; undefined for those of others. */
export function innerEventId(outer: string, generation: number): string | undefined {
  const mark = `${generation}~`;
  return outer.startsWith(mark) ? outer.slice(mark.length) : undefined;
}
