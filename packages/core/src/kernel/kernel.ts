/**
 * The heart of a server: classifies what comes in, runs the method, and gives the answer back. Transports move the texts; all
 * conversations of all transports share one kernel.
 */
import type { ServedRevisions } from '@sigil-mcp/protocol';
import {
  type Implementation,
  type InboundNotification,
  type InboundRequest,
  type Revision,
  type ServerCapabilities,
} from '@sigil-mcp/protocol';
import type { AskingPolicy } from '../asking/asking-policy';
import type { CallServices } from '../calls/call-services';
import type { Conversation } from '../calls/conversation';
import { endedCall } from '../errors/ended-call';
import type { Exchange } from '../calls/exchange';
import type { Interceptor } from '../context/interceptor';
import { ConversationSwitch, type Connection } from '../conversations/open-conversation';
import { ServerLoad } from '../limits/client-load';
import { WEIGHTS, type HeldWeight } from '../limits/held-weight';
import type { SubscriptionBudget } from '../limits/subscription-budget';
import type { KnownLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import type { Registry } from '../registry/registry';
import type { Clock } from '../time/clock';
import type { MaybePromise } from '../values/maybe-promise';
import type { Answer } from './answer';
import type { ChangeListeners } from './change-listeners';
import { compileMethod, type CompiledMethod } from './compiled-method';
import type { Expiries } from './expiries';
import type { IncomingRequest } from './incoming-request';
import type { MaskError } from './mask-error';
import type { MethodHandler } from './method-handler';
import { PendingAnswer, type AnswerServices } from './pending-answer';
import { WrittenResults } from './written-results';

/** What a kernel is made of. */
export interface KernelOptions {
  readonly server: Implementation;
  /** What the server advertises; a method of a capability that is not among them does not exist. */
  readonly capabilities: ServerCapabilities;
  readonly methods: readonly MethodHandler[];
  readonly revisions: ServedRevisions;
  readonly limits: KnownLimits;
  readonly weight: HeldWeight;
  readonly subscriptions: SubscriptionBudget;
  readonly listeners: ChangeListeners;
  readonly expiries: Expiries;
  /** What is asked whether callers without a token may come in. */
  readonly registry: Pick<Registry, 'hasPublic'>;
  /** Interceptors of the server; the first is the outermost. */
  readonly interceptors: readonly Interceptor[];
  readonly logger: Logger;
  readonly maskError: MaskError;
  readonly asking: AskingPolicy;
  /** Opens what is made for one call. */
  readonly openScope: CallServices['openScope'];
  readonly rates: CallServices['rates'];
  readonly clock: Clock;
}

/** Serves all conversations of one server. */
export class Kernel {
  /** Chooses the conversations of clients. */
  readonly conversations: ConversationSwitch;
  /** Who is told of changes. */
  readonly listeners: ChangeListeners;
  /** Ends what lasts when the token expires that it was opened with. */
  readonly expiries: Expiries;
  /** What clients may make the server hold. */
  readonly limits: KnownLimits;
  /** What they make it hold, in bytes of memory. */
  readonly weight: HeldWeight;
  /** Logs what was thrown and gives the sentence for the client, for what goes wrong beside a call. */
  readonly maskError: MaskError;
  readonly #registry: KernelOptions['registry'];
  readonly #services: AnswerServices;
  readonly #methods: ReadonlyMap<string, CompiledMethod>;

  constructor(options: KernelOptions) {
    const { server, capabilities, methods, revisions, interceptors, logger, asking, maskError, limits } = options;
    const { openScope, rates, clock } = options;
    this.conversations = new ConversationSwitch(revisions, limits, {
      weight: options.weight,
      subscriptions: options.subscriptions,
    });
    this.listeners = options.listeners;
    this.expiries = options.expiries;
    this.#registry = options.registry;
    this.limits = limits;
    this.weight = options.weight;
    this.maskError = maskError;
    const [results, load] = [new WrittenResults(server), new ServerLoad()];
    this.#services = {
      server,
      logger,
      asking,
      maskError,
      limits,
      load,
      weight: options.weight,
      results,
      openScope,
      rates,
      clock,
    };
    const offered = methods.filter(
      ({ capability }) => capability === undefined || capabilities[capability] !== undefined,
    );
    this.#methods = new Map(offered.map((handler) => [handler.method, compileMethod(handler, interceptors)]));
  }

  /** Whether callers without a token may come in, because something here is public. */
  get admitsStrangers(): boolean {
    return this.#registry.hasPublic;
  }

  /** Nothing lasts any more, and nothing waits for its end. */
  close(): void {
    this.listeners.close();
    this.expiries.clear();
  }

  /**
   * Finds out what there is to know of a request before it is answered: its conversation, its metadata, its method.
   * @param connection the place that the request came from
   */
  open(request: InboundRequest, connection: Connection): IncomingRequest {
    const opening = this.conversations.open(request, connection);
    return { request, opening, method: this.#findMethod(request.method, opening.conversation.revision) };
  }

  /**
   * Counts a conversation that is kept among what its client makes the server hold, for as long as its client is there.
   * @returns gives the room back before that, where the conversation does not come to be
   * @throws Denial where its client, or all of them, hold too much
   */
  hold({ lasting, running }: Conversation): () => void {
    if (!lasting) return () => undefined;
    const giveBack = this.weight.take(running.load, WEIGHTS.session + lasting.weight);
    const forget = running.onOver(giveBack);
    return () => {
      forget();
      giveBack();
    };
  }

  /**
   * Answers a request, at once where its handler does.
   * @param incoming what `open` found out
   * @param exchange how the request came in, and the way for what is said before its answer
   * @returns the answer, be it a result or an error; undefined once the request was cancelled. Never throws or rejects
   */
  answer(incoming: IncomingRequest, exchange: Exchange): MaybePromise<Answer | undefined> {
    return new PendingAnswer(incoming, exchange, this.#services).run();
  }

  /** Takes a notification of the client; unknown and malformed ones are ignored, for nothing can be answered to them. */
  notice({ method, params }: InboundNotification, conversation: Conversation): void {
    if (!conversation.revision.notifications.has(method)) return;
    if (method !== 'notifications/cancelled') return conversation.lasting?.notice(method);
    const { requestId, reason } = params ?? {};
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const why = typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : '';
    conversation.running.cancel(requestId, endedCall('SIGIL_CANCELLED', { reason: why }));
  }

  #findMethod(name: string, revision: Revision): CompiledMethod | undefined {
    return revision.requests.has(name) ? this.#methods.get(name) : undefined;
  }
}
