/** The conversation of a call without a request: its client was known when the call was recorded, and is asked another way. */
import type { LogLevel, Revision } from '@sigil-mcp/protocol';
import type { CallMemory } from '../asking/call-memory';
import { LiveQuestions, type LiveWay } from '../asking/live-questions';
import type { Questions } from '../asking/questions';
import type { Conversation, QuestionedCall } from '../calls/conversation';
import { RunningCalls } from '../calls/running-calls';
import type { ClientFacts } from '../context/mcp-context';
import type { ClientLoad } from '../limits/client-load';

/** Made for each run of such a call. */
export class BackgroundConversation implements Conversation {
  readonly isBackground = true;
  readonly lasting = undefined;
  readonly running: RunningCalls;
  readonly #questions: LiveQuestions;

  constructor(
    readonly revision: Revision,
    private readonly client: ClientFacts,
    { memory, way, load }: { readonly memory: CallMemory; readonly way: LiveWay; readonly load: ClientLoad },
  ) {
    this.running = new RunningCalls(load);
    this.#questions = new LiveQuestions(memory, way, revision);
  }

  clientOf(): ClientFacts {
    return this.client;
  }

  /** Nobody reads log messages of a call without a request. */
  logThreshold(): LogLevel | undefined {
    return undefined;
  }

  openQuestions({ hold }: Pick<QuestionedCall, 'hold'>): Questions {
    this.#questions.hold = hold;
    return this.#questions;
  }

  /** Ends the run at its questions. */
  suspend(): void {
    this.#questions.suspend();
  }
}
