/**
 * A second client on the pipe to a server, next to the one that started `sigil dev`. It speaks the revision whose requests stand alone, so
 * that the session of the first client is not touched. Its ids are marked on their way to the server, and messages with a mark come back here.
 */
import { isObject } from '@sigil-mcp/base';
import { readShapes, type MessageShape } from './message-shape';

/** The beginning of the ids and progress tokens of the second client. */
const MARK = 'sigil-page:';

/** What the second client receives. */
export interface SecondClient {
  receive(text: string): void;
}

/** The line of the second client. */
export class SecondLine {
  #send: ((text: string) => void) | undefined;
  readonly #clients = new Map<string, SecondClient>();
  #count = 0;

  /** @param send receives what the second client sends, as if the first one had sent it */
  attach(send: (text: string) => void): void {
    this.#send = send;
  }

  /** Opens a client. @returns sends a message, and `close` ends it */
  open(client: SecondClient): { readonly send: (text: string) => void; readonly close: () => void } {
    const name = `${MARK}${(this.#count += 1)}:`;
    this.#clients.set(name, client);
    return {
      send: (text) => {
        // A handshake would be one of the first client.
        for (const message of readShapes(text))
          if (message.method !== 'initialize') this.#send?.(JSON.stringify(marked(message, name)));
      },
      close: () => void this.#clients.delete(name),
    };
  }

  /** Whether a message of the server is for a second client, which has then received it. */
  takes(text: string): boolean {
    // Most messages are for the first client, and are not read here.
    if (this.#clients.size === 0 || !text.includes(MARK)) return false;
    const [message, ...more] = readShapes(text);
    const key = message && more.length === 0 ? keyOf(message) : undefined;
    if (message === undefined || key === undefined) return false;
    const [, name = ''] = /^(sigil-page:\d+:)/.exec(key) ?? [];
    this.#clients.get(name)?.receive(JSON.stringify(unmarked(message, name)));
    return name !== '';
  }
}

/** What belongs to the second client: the id of an answer, or the token of a progress report. */
function keyOf({ id, method, params }: MessageShape): string | undefined {
  const key = method === undefined ? id : method === 'notifications/progress' ? params?.['progressToken'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

function marked(message: MessageShape, name: string): MessageShape {
  const { id, params } = message;
  const meta = params?.['_meta'];
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  const cancelled = message.method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return {
    ...message,
    ...(id !== undefined && id !== null && { id: `${name}${typeof id}:${id}` }),
    ...(params && {
      params: {
        ...params,
        ...(token !== undefined && { _meta: { ...(meta as object), progressToken: `${name}${token as string}` } }),
        // Our own client writes texts and numbers.
        ...(cancelled !== undefined && { requestId: `${name}${typeof cancelled}:${cancelled as string}` }),
      },
    }),
  };
}

function unmarked(message: MessageShape, name: string): MessageShape {
  const { id, params } = message;
  if (params)
    return { ...message, params: { ...params, progressToken: String(params['progressToken']).slice(name.length) } };
  const [, type, text = ''] = /^(number|string):([\s\S]*)$/.exec(String(id).slice(name.length)) ?? [];
  return { ...message, id: type === 'number' ? Number(text) : text };
}
