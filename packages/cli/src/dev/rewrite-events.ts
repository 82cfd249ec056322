/** Rewrites the events of a server for its client: ids that another server may use as well. */
import type { RelayedEvent } from './upstream';
import type { HttpSession } from './http-session';
import { isResponse, rewriteEach, type MessageShape } from './message-shape';
import { META_KEYS, writeNotification, type RequestId } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/base';
import { LISTED_KINDS } from './session-record';

/** The method that opens a subscription. */
export const LISTEN = 'subscriptions/listen';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

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

/** The id of an event at the server of this generation; undefined for events of others. */
export function innerEventId(outer: string, generation: number): string | undefined {
  const mark = `${generation}~`;
  return outer.startsWith(mark) ? outer.slice(mark.length) : undefined;
}

/** The id of the subscription whose first message this is; undefined if it is another message. */
export function acknowledgedId({ method, params }: MessageShape): RequestId | undefined {
  if (method !== ACKNOWLEDGED || !isObject(params?.['_meta'])) return undefined;
  const id = params['_meta'][META_KEYS.subscriptionId];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The notifications of a subscription after a restart: the lists in its filter may have changed. */
export function changesFor(acknowledgement: MessageShape, id: RequestId): readonly string[] {
  const filter = acknowledgement.params?.['notifications'];
  if (!isObject(filter)) return [];
  return LISTED_KINDS.filter((kind) => filter[`${kind}ListChanged`] === true).map((kind) =>
    writeNotification({
      jsonrpc: '2.0',
      method: `notifications/${kind}/list_changed`,
      params: { _meta: { [META_KEYS.subscriptionId]: id } },
    }),
  );
}
