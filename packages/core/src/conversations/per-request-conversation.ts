/** A conversation of one request: all there is to know about the client travels with it, and nothing is kept. */
import type { ClientCapabilities, LogLevel, RequestMeta, Revision } from '@sigil-mcp/protocol';
import { addAnswers, newJournal } from '../asking/journal';
import type { Questions } from '../asking/questions';
import { ReplayedQuestions } from '../asking/replayed-questions';
import type { ClientFacts } from '../context/mcp-context';
import type { RunningCalls } from '../calls/running-calls';
import type { Conversation, QuestionedCall } from '../calls/conversation';

const NO_CAPABILITIES: ClientCapabilities = Object.freeze({});

/** The conversation of a request that names its own revision and client. */
export class PerRequestConversation implements Conversation {
  readonly lasting = undefined;

  constructor(
    readonly revision: Revision,
    readonly running: RunningCalls,
  ) {}

  clientOf({ client }: RequestMeta): ClientFacts {
    return {
      name: client?.info?.name,
      version: client?.info?.version,
      capabilities: client?.capabilities ?? NO_CAPABILITIES,
    };
  }

  /** No messages by default: only a request that names a level receives log messages. */
  logThreshold(meta: RequestMeta): LogLevel | undefined {
    return meta.logLevel;
  }

  openQuestions({ method, params, exchange, retry, states, notes }: QuestionedCall): Questions {
    const owner = { method, params, principal: exchange.caller.principal };
    const state = retry?.requestState;
    const journal = state === undefined ? newJournal() : states.read(state, owner);
    return new ReplayedQuestions(retry ? addAnswers(journal, retry.inputResponses, state === undefined) : journal, {
      writeRequest: (request) => this.revision.writeServerRequest(request),
      writeState: (next) => states.write({ ...next, notes: notes() }, owner, exchange.isShared === true),
    });
  }
}
