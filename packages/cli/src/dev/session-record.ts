/** What a client has done to its session so far: enough to put another server into the same state. */
import { writeNotification, writeRequest } from '@sigil-mcp/protocol';
import type { MessageShape, Members } from './message-shape';

/** The ids of our own requests begin with this; clients never see them. */
export const OWN_ID = 'sigil-dev:';

/** Follows one session, and can do it again. */
export class SessionRecord {
  #initialize: Members | undefined;
  #isInitialized = false;
  #level: Members | undefined;
  readonly #subscriptions = new Set<unknown>();

  /** Takes a message of the client that the server got. */
  note({ method, params = {} }: MessageShape): void {
    if (method === 'initialize') this.#initialize ??= params;
    else if (method === 'notifications/initialized') this.#isInitialized = true;
    else if (method === 'logging/setLevel') this.#level = params;
    else if (method === 'resources/subscribe') this.#subscriptions.add(params['uri']);
    else if (method === 'resources/unsubscribe') this.#subscriptions.delete(params['uri']);
  }

  /** The request that opens the session again; undefined if it was never opened. */
  get opening(): string | undefined {
    return this.#initialize && own('initialize', this.#initialize);
  }

  /** What follows the answer to the opening. */
  get following(): readonly string[] {
    if (!this.#isInitialized) return [];
    return [
      writeNotification({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      ...(this.#level ? [own('logging/setLevel', this.#level)] : []),
      ...[...this.#subscriptions].map((uri) => own('resources/subscribe', { uri })),
    ];
  }

  /** Whether the session is open and its client may be told things. */
  get isOpen(): boolean {
    return this.#isInitialized;
  }
}

function own(method: string, params: Members): string {
  // What a client sent as JSON is sent again.
  return writeRequest({ jsonrpc: '2.0', id: `${OWN_ID}${method}`, method, params: params as never });
}

/** Asked of a server whose session nobody has opened yet: whatever it answers, it is there. */
export const ARE_YOU_THERE = own('ping', {});

/** The notifications that tell a session of changed lists, as far as the server says that it tells of them. */
export function listChanges(capabilities: unknown): readonly string[] {
  const has = (kind: string): boolean => {
    const capability = (capabilities as Readonly<Record<string, { readonly listChanged?: unknown } | undefined>>)[kind];
    return capability?.listChanged === true;
  };
  if (typeof capabilities !== 'object' || capabilities === null) return [];
  return LISTS.filter(has).map((kind) =>
    writeNotification({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` }),
  );
}

/** The kinds that have lists. */
export const LISTS = ['tools', 'prompts', 'resources'] as const;
