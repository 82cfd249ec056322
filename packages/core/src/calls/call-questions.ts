/** What one call asks its client: opened by the first question, or by what a request brought that was sent before. */
import type { ClientCapabilities, InputRequiredResult, Method, RequestRetry } from '@sigil-mcp/protocol';
import type { Asker } from '../asking/asker';
import { Asking, type AskingSettings } from '../asking/asking';
import type { RequestStates } from '../asking/request-states';
import { AskFailure } from '../errors/ask-failure';
import type { Origin } from './origin';

/** How the calls of a server ask. */
export interface AskingRules extends AskingSettings {
  readonly states: RequestStates;
}

/** What the questions of a call need of it. */
export interface CallQuestionsParts {
  readonly method: Method;
  /** Neutral parameters. */
  readonly params: object;
  readonly origin: Origin;
  readonly rules: AskingRules;
  readonly capabilities: () => ClientCapabilities;
  /** Runs while the client is waited for; what it returns runs afterwards. */
  readonly whileWaiting: () => () => void;
  readonly tellDone: (elicitationId: string) => void;
}

/** The methods that every revision lets ask. */
const MAY_ASK: ReadonlySet<Method> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Why a question that comes after the call has no answer. */
export const CALL_IS_OVER = new AskFailure('The call is over; nobody waits for answers any more.', 'unreachable');

/** The questions of one call. */
export class CallQuestions {
  readonly #asker: Asker;
  #asking: Asking | undefined;

  /** Throws `ProtocolError` for what came with a retry and does not belong to this call. */
  constructor(
    private readonly parts: CallQuestionsParts,
    retry?: RequestRetry,
  ) {
    const { method, params, origin, rules } = parts;
    this.#asker = origin.conversation.openAsker({
      method,
      params,
      retry,
      exchange: origin.exchange,
      states: rules.states,
    });
  }

  /** For the handler. */
  get asking(): Asking {
    return (this.#asking ??= this.#open());
  }

  /** How often the handler has been started for this call. */
  get round(): number {
    return this.#asker.round;
  }

  /** What has to be asked before there can be a result. Throws `SwallowedSuspension`. */
  settle(error: unknown): InputRequiredResult | undefined {
    return this.#asker.settle(error);
  }

  /** Nobody waits for answers any more. */
  close(reason: Error): void {
    this.#asker.close(reason);
  }

  #open(): Asking {
    const { method, origin, rules, capabilities, whileWaiting, tellDone } = this.parts;
    const { revision, unreachable } = origin.conversation;
    return new Asking({
      asker: this.#asker,
      revision,
      capabilities: capabilities(),
      settings: rules,
      unreachable: MAY_ASK.has(method) ? unreachable : `${method} is answered without asking the client.`,
      whileWaiting,
      tellDone,
    });
  }
}
