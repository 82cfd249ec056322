/** What travelled between a test and a server, so that every message of the server can be judged by the official schemas. */
import { validateMessage } from './supplies/judge-message';

/** A message as it travels. */
export type Message = { readonly [member: string]: unknown };

const NEWEST = '2026-07-28';
const LAST_HANDSHAKE = '2025-11-25';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The metadata of a request that names its revision itself. */
export const ALONE_META = { [VERSION_KEY]: NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };

/** Kept by whoever plays the client. */
export class Transcript {
  /** What the server sent. */
  readonly messages: Message[] = [];
  /** For each message, the revision of the conversation when it came. */
  readonly #revisions: string[] = [];
  #negotiated = LAST_HANDSHAKE;
  /** Methods by id, and the revision that a request named itself. */
  readonly #asked = new Map<unknown, { method: string; revision: string | undefined }>();

  /** Notes what is sent to the server. */
  sent({ id, method, params }: Message): void {
    const meta = (params as { _meta?: Record<string, unknown> } | undefined)?._meta;
    const claimed = meta && VERSION_KEY in meta;
    if (typeof method !== 'string') return;
    this.#asked.set(id, { method, revision: claimed || method === 'server/discover' ? NEWEST : undefined });
  }

  /** Keeps what came from the server. */
  received(message: Message): void {
    const { id, result } = message as { id?: unknown; result?: { protocolVersion?: string } };
    if (this.#asked.get(id)?.method === 'initialize') this.#negotiated = result?.protocolVersion ?? this.#negotiated;
    this.messages.push(message);
    this.#revisions.push(this.#negotiated);
  }

  /** The answer to a request, if it has come. */
  answerTo(id: unknown): Message | undefined {
    return this.messages.find((message) => message['id'] === id && !('method' in message));
  }

  /** What the official schemas say against what was received, each message judged by the revision it belongs to. */
  schemaErrors(): string[] {
    return this.messages.flatMap((message, index) => {
      const asked = this.#asked.get(message['id']);
      const method = asked && 'result' in message ? { method: asked.method } : {};
      return validateMessage(asked?.revision ?? this.#revisions[index] ?? '', message, {
        direction: 'server',
        ...method,
      });
    });
  }
}
