/** The actions of a client in its session so far: enough to restore the session at another server. */
import { META_KEYS, writeNotification, writeRequest, type JsonObject, type RequestId } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';
import { clientOf } from './call-lines';
import type { MessageShape } from './message-shape';

/** A request of sigil itself, which clients never see. */
export interface OwnRequest {
  readonly id: string;
  readonly text: string;
  /** The purpose of the request, for messages. */
  readonly about: string;
}

/** The record of one session, which can be replayed at another server. */
export class RecordedSession {
  #initialize: LooseObject | undefined;
  #isInitialized = false;
  #level: LooseObject | undefined;
  readonly #subscriptions = new Set<unknown>();

  /** Records a notification of the client, or a request that the server granted. */
  note({ method, params = {} }: MessageShape): void {
    if (method === 'initialize') this.#initialize = params;
    else if (method === 'notifications/initialized') this.#isInitialized = true;
    else if (method === 'logging/setLevel') this.#level = params;
    else if (method === 'resources/subscribe') this.#subscriptions.add(params['uri']);
    else if (method === 'resources/unsubscribe') this.#subscriptions.delete(params['uri']);
  }

  /** The request that opens the session again; undefined if it has not been opened. */
  get opening(): OwnRequest | undefined {
    return this.#initialize && own('initialize', this.#initialize, 'the session');
  }

  /** The name of the client; undefined before it has opened the session. */
  get client(): string | undefined {
    return clientOf(this.#initialize);
  }

  /** The revision that the client proposed; undefined before it has opened the session. */
  get proposed(): string | undefined {
    const version = this.#initialize?.['protocolVersion'];
    return typeof version === 'string' ? version : undefined;
  }

  /**
   * Repeats what the client sent to the first server, after the new server has answered the opening.
   * @param tell sends a notification
   * @param ask sends a request and waits for its answer
   * @returns the requests that it refused, in sentences
   */
  async replay(
    tell: (text: string) => void | Promise<void>,
    ask: (request: OwnRequest) => Promise<MessageShape>,
  ): Promise<readonly string[]> {
    if (!this.#isInitialized) return [];
    await tell(writeNotification({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    const refusals: string[] = [];
    for (const request of this.#following()) {
      const { result, error } = await ask(request);
      const reason = error?.['message'];
      if (!result) refusals.push(`The server refused ${request.about}: ${typeof reason === 'string' ? reason : '?'}`);
    }
    return refusals;
  }

  /** Whether the session is open, so that its client accepts notifications. */
  get isOpen(): boolean {
    return this.#isInitialized;
  }

  #following(): readonly OwnRequest[] {
    return [
      ...(this.#level ? [own('logging/setLevel', this.#level, 'the log level')] : []),
      ...[...this.#subscriptions].map((uri) =>
        own('resources/subscribe', { uri }, `the subscription to ${String(uri)}`, String(uri)),
      ),
    ];
  }
}

/** @param which distinguishes requests with the same method */
function own(method: string, params: LooseObject, about: string, which = ''): OwnRequest {
  const id = `sigil-dev:${method}:${which}`;
  // The parameters are JSON that the client sent.
  return { id, text: writeRequest({ jsonrpc: '2.0', id, method, params: params as never }), about };
}

/** The request to a server without an open session: any answer shows that it is running. */
export const ARE_YOU_THERE = own('ping', {}, 'a ping');

/** The kinds of entries that servers list. */
const LISTED_KINDS = ['tools', 'prompts', 'resources'] as const;

/** The notifications of changed lists for a session, for the lists whose changes the server announces. */
export function listChanges(capabilities: unknown): readonly string[] {
  const offered = isObject(capabilities) ? capabilities : {};
  return LISTED_KINDS.flatMap((kind) => {
    const capability = offered[kind];
    return isObject(capability) && capability['listChanged'] === true ? [listChange(kind)] : [];
  });
}

/** The method that opens a subscription. */
const LISTEN = 'subscriptions/listen';

/** Requests that can be sent again to the next server: the first one of a client, and subscriptions. */
export const SENT_AGAIN: ReadonlySet<string> = new Set([LISTEN, 'initialize', 'server/discover']);

/** The id of the subscription whose first message this is; undefined if it is another message. */
export function acknowledgedId({ method, params }: MessageShape): RequestId | undefined {
  const meta = method === 'notifications/subscriptions/acknowledged' ? params?.['_meta'] : undefined;
  const id = isObject(meta) ? meta[META_KEYS.subscriptionId] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The notifications of a subscription after a restart: the lists in its filter may have changed. */
export function changesFor({ params }: MessageShape, id: RequestId): readonly string[] {
  const filter = params?.['notifications'];
  if (!isObject(filter)) return [];
  const listed = LISTED_KINDS.filter((kind) => filter[`${kind}ListChanged`] === true);
  return listed.map((kind) => listChange(kind, { _meta: { [META_KEYS.subscriptionId]: id } }));
}

function listChange(kind: (typeof LISTED_KINDS)[number], params?: JsonObject): string {
  return writeNotification({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed`, ...(params && { params }) });
}
