/** A conversation that `initialize` opened: the client said once who it is and what it can do. */
import type { ChangeNotification, JsonRpcNotification, LogLevel, Revision } from '@sigil-mcp/protocol';
import type { ClientFacts } from '../context/mcp-context';
import type { RunningCalls } from '../kernel/running-calls';
import type { Conversation } from './conversation';

/** Lives as long as the process (stdio) or the session (HTTP). */
export class HandshakeConversation implements Conversation {
  #logLevel: LogLevel = 'info';
  #subscribed: Set<string> | undefined;

  constructor(
    readonly revision: Revision,
    readonly running: RunningCalls,
    private readonly client: ClientFacts,
  ) {}

  clientOf(): ClientFacts {
    return this.client;
  }

  /** The specification leaves the level to the server until the client sets one. */
  logThreshold(): LogLevel {
    return this.#logLevel;
  }

  setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
  }

  subscribe(uri: string): void {
    (this.#subscribed ??= new Set()).add(uri);
  }

  unsubscribe(uri: string): void {
    this.#subscribed?.delete(uri);
  }

  /** Lists are told to everybody, resources to who subscribed. */
  writeChange(change: ChangeNotification): JsonRpcNotification | undefined {
    if ('uri' in change && !this.#subscribed?.has(change.uri)) return undefined;
    return this.revision.writeNotification(change);
  }

  acceptResponse(): void {
    // The server asks nothing in this conversation yet, so no answer has anybody waiting for it.
  }
}
