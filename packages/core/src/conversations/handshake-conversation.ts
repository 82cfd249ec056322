/** A conversation that `initialize` opened: the client said once who it is and what it can do. */
import { LOG_LEVELS, type LogLevel, type Revision } from '@sigil-mcp/protocol';
import type { ClientFacts } from '../context/mcp-context';
import type { RunningCalls } from '../kernel/running-calls';
import type { Conversation } from './conversation';

/** Lives as long as the process (stdio) or the session (HTTP). */
export class HandshakeConversation implements Conversation {
  #logLevel: LogLevel = LOG_LEVELS[0];

  constructor(
    readonly revision: Revision,
    readonly running: RunningCalls,
    private readonly client: ClientFacts,
  ) {}

  clientOf(): ClientFacts {
    return this.client;
  }

  /** Until the client sets a level it hears everything: the specification leaves the choice to the server. */
  logThreshold(): LogLevel {
    return this.#logLevel;
  }

  setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
  }

  acceptResponse(): void {
    // The server asks nothing in this conversation yet, so no answer has anybody waiting for it.
  }
}
