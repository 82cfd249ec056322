/** The conversation of a call without a request: its client was known when the call was recorded, and is asked another way. */
import type { LogLevel, Revision } from '@sigil-mcp/protocol';
import type { CallMemory } from '../asking/call-memory';
import { LiveQuestions, type LiveWay } from '../asking/live-questions';
import type { Questions } from '../asking/questions';
import type { Conversation } from '../calls/conversation';
import { RunningCalls } from '../calls/running-calls';
import type { ClientFacts } from '../context/mcp-context';

/** Made for each run of such a call. */
export class BackgroundConversation implements Conversation {
  readonly isBackground = true;
  readonly lasting = undefined;
  readonly running = new RunningCalls();
  readonly #questions: LiveQuestions;

  constructor(
    readonly revision: Revision,
    private readonly client: ClientFacts,
    memory: CallMemory,
    way: LiveWay,
  ) {
    this.#questions = new LiveQuestions(memory, way, revision);
  }

  clientOf(): ClientFacts {
    return this.client;
  }

  /** Nobody reads log messages of a call without a request. */
  logThreshold(): LogLevel | undefined {
    return undefined;
  }

  openQuestions(): Questions {
    return this.#questions;
  }

  /** Ends the run at its questions. */
  suspend(): void {
    this.#questions.suspend();
  }
}
