/**
 * The heart of a server: classifies messages, runs their methods, and returns the answers. Transports move the texts; all conversations
 * of all transports share one kernel.
 */
import {
  ProtocolError,
  type Implementation,
  type InboundNotification,
  type InboundRequest,
  type Revision,
  type ServedRevisions,
  type ServerCapabilities,
} from '@sigil-mcp/protocol';
import type { AskingPolicy } from '../asking/asking-policy';
import type { CallServices } from '../calls/call-services';
import type { Conversation } from '../calls/conversation';
import { endedCall } from '../errors/ended-call';
import type { Exchange } from '../calls/exchange';
import type { Interceptor } from '../context/interceptor';
import type { Notes } from '../context/observer';
import type { CallRecord } from '../calls/call-record';
import { DetachedCalls } from '../calls/detached-call';
import { SessionHandles } from '../calls/session-handles';
import { declares, type BackgroundCall, type BackgroundWay } from '../extensions/extension-call';
import type { OwnedListener, ServerExtensions } from '../extensions/server-extensions';
import { ConversationSwitch, type MessageSource } from '../conversations/open-conversation';
import { ServerLoad } from '../limits/client-load';
import { WEIGHTS, type Account } from '../limits/account';
import { memoryReport, type MemoryReport } from '../limits/memory-report';
import type { SubscriptionBudget } from '../limits/subscription-budget';
import type { ResolvedLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import type { Registry } from '../registry/registry';
import { unawaited, type Clock, type MaybePromise } from '@sigil-mcp/base';
import type { WrittenAnswer } from './answer';
import type { ChangeListeners } from './change-listeners';
import { BackgroundCalls } from './background-calls';
import { compileMethod, type CompiledMethod, type KernelCall } from './compiled-method';
import type { Expiries } from './expiries';
import type { IncomingRequest } from './incoming-request';
import type { MaskError } from './mask-error';
import type { MethodHandler } from './method-handler';
import type { Observers } from './observers';
import { PendingAnswer, type AnswerServices } from './pending-answer';
import { runInside, checkEntry } from './run-inside';
import { ResultTexts } from './result-texts';
import { outsideRequests, type RunOutside } from '../values/outside-requests';

/** The parts of a kernel. */
export interface KernelOptions {
  readonly server: Implementation;
  /** The advertised capabilities; a method of any other capability does not exist. */
  readonly capabilities: ServerCapabilities;
  readonly methods: readonly MethodHandler[];
  readonly revisions: ServedRevisions;
  readonly limits: ResolvedLimits;
  readonly account: Account;
  readonly subscriptions: SubscriptionBudget;
  readonly listeners: ChangeListeners;
  readonly expiries: Expiries;
  /** Knows whether callers without a token are admitted. */
  readonly registry: Pick<Registry, 'hasPublic' | 'find'>;
  /** Undefined if nobody watches. */
  readonly observers: Observers | undefined;
  /** Interceptors of the server; the first is the outermost. */
  readonly interceptors: readonly Interceptor[];
  readonly logger: Logger;
  readonly maskError: MaskError;
  readonly asking: AskingPolicy;
  /** Opens the scope of one call. */
  readonly openScope: CallServices['openScope'];
  readonly rates: CallServices['rates'];
  readonly clock: Clock;
  readonly extensions: ServerExtensions;
}

/** Serves all conversations of one server. */
export class Kernel {
  /** Chooses the conversations of clients. */
  readonly conversations: ConversationSwitch;
  /** The listeners for changes. */
  readonly listeners: ChangeListeners;
  /** Ends subscriptions and sessions when the token expires that opened them. */
  readonly expiries: Expiries;
  /** The limits of what clients may make the server hold. */
  readonly limits: ResolvedLimits;
  /** The memory that clients make the server hold, in bytes. */
  readonly account: Account;
  /** Logs an error and returns the sentence for the client, for errors outside calls. */
  readonly maskError: MaskError;
  /** Work that outlives its request. */
  readonly detached = new DetachedCalls();
  /** Runs what belongs to no request: in the context in which the server has started. */
  readonly outside: RunOutside = outsideRequests();
  readonly #options: KernelOptions;
  /** Undefined if nobody watches. */
  readonly observers: Observers | undefined;
  readonly #registry: KernelOptions['registry'];
  readonly #services: AnswerServices;
  readonly #background: BackgroundCalls;
  readonly #methods: ReadonlyMap<string, CompiledMethod>;

  constructor(options: KernelOptions) {
    const { server, capabilities, methods, revisions, interceptors, logger, asking, maskError, limits } = options;
    const { openScope, rates, clock } = options;
    this.#options = options;
    this.observers = options.observers;
    this.conversations = new ConversationSwitch(revisions, limits, {
      account: options.account,
      subscriptions: options.subscriptions,
    });
    this.listeners = options.listeners;
    this.expiries = options.expiries;
    this.#registry = options.registry;
    this.limits = limits;
    this.account = options.account;
    this.maskError = maskError;
    const [results, load] = [new ResultTexts(server), new ServerLoad()];
    this.#services = {
      server,
      logger,
      asking,
      maskError,
      limits,
      load,
      account: options.account,
      results,
      openScope,
      rates,
      clock,
      sessions: new SessionHandles(),
      detached: this.detached,
      // Only running calls have this service.
      runMethod: (outer, inner) => runInside({ outer, ...inner }, { methods: this.#methods, server }),
      checkAccess: (call, entry) => checkEntry(call as KernelCall, entry, options.registry),
    };
    this.#background = this.#openBackground(revisions);
    const offered = methods.filter(
      ({ capability }) => capability === undefined || capabilities[capability] !== undefined,
    );
    const isTimed = this.observers?.watchesStages ?? false;
    this.#methods = new Map(offered.map((handler) => [handler.method, compileMethod(handler, interceptors, isTimed)]));
  }

  /** Whether callers without a token are admitted, because some entry is public. */
  get admitsWithoutToken(): boolean {
    return this.#registry.hasPublic;
  }

  /** The time of the server. */
  get clock(): Clock {
    return this.#options.clock;
  }

  /** Ends all subscriptions, and stops waiting for expiries. */
  close(): void {
    this.listeners.close();
    this.expiries.clear();
  }

  /**
   * Examines a request before it is answered: its conversation, its metadata, its method.
   * @param connection the source of the request
   */
  open(request: InboundRequest, connection: MessageSource): IncomingRequest {
    const opening = this.conversations.open(request, connection);
    return { request, opening, method: this.#findMethod(request.method, opening.conversation.revision) };
  }

  /** What clients make the server hold now. */
  get memory(): MemoryReport {
    return memoryReport(this.account, this.limits);
  }

  /**
   * Counts a lasting conversation among the memory of its client, for as long as its client is connected.
   * @returns a function that releases it before that, if the conversation is not kept
   * @throws Denial if its client, or all clients, exceed the limit
   */
  hold({ lasting, running, revision }: Conversation): () => void {
    if (!lasting) return () => undefined;
    const release = this.account.take(running.load, 'sessions', WEIGHTS.session + lasting.weight);
    const end = this.observers?.session(lasting, revision);
    const giveBack = (): void => {
      release();
      end?.();
    };
    const forget = running.onOver(giveBack);
    return () => {
      forget();
      giveBack();
    };
  }

  /**
   * Answers a request, synchronously if its handler is synchronous.
   * @param incoming the result of `open`
   * @param exchange the request's transport, and the way back for messages before the answer
   * @returns the answer, either a result or an error; undefined if the request was cancelled. Never throws or rejects
   */
  answer(incoming: IncomingRequest, exchange: Exchange): MaybePromise<WrittenAnswer | undefined> {
    const watched = this.observers?.start(incoming, exchange, () => this.#notesOf(incoming));
    if (!watched) return new PendingAnswer(incoming, exchange, this.#services, undefined).run();
    return watched.run(() => new PendingAnswer(incoming, exchange, this.#services, watched).run());
  }

  /** What observers noted in the request before, whose answer was a question. */
  #notesOf({ request, method, opening }: IncomingRequest): Notes | undefined {
    try {
      const retry = method && opening.conversation.revision.readRetry(method.method, request.params);
      const { requestState } = retry ?? {};
      return requestState === undefined ? undefined : this.#services.asking.states.notesIn(requestState);
    } catch {
      // Malformed parameters are refused later.
      return undefined;
    }
  }

  /** Runs a recorded call without its request. */
  start(record: CallRecord, way: BackgroundWay): BackgroundCall {
    return this.outside(() => this.#background.start(record, way));
  }

  /** Takes a notification of the client; unknown and malformed ones are ignored, because notifications get no answer. */
  notice(notification: InboundNotification, conversation: Conversation): void {
    const { method, params } = notification;
    this.observers?.noticed(notification, conversation);
    if (!conversation.revision.notifications.has(method)) return;
    const served = this.#options.extensions.listener(method);
    if (served) return this.#noticeOf(served, params, conversation);
    if (method !== 'notifications/cancelled') return conversation.lasting?.notice(method);
    const { requestId, reason } = params ?? {};
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const why = typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : '';
    conversation.running.cancel(requestId, endedCall('SIGIL_CANCELLED', { reason: why }));
  }

  /** Passes a notification to the extension that receives it, if the client of a session declared it. */
  #noticeOf(
    { owner, listener }: OwnedListener,
    params: InboundNotification['params'],
    { lasting, revision }: Conversation,
  ): void {
    const client = lasting?.client;
    if (!client || !declares(client, owner.name)) return;
    const { method } = listener.notification;
    const fail = (error: unknown): void => void this.maskError(error, { method });
    try {
      const read = revision.readNotification(method, params);
      if (read) unawaited(listener.handle(read, client, owner.started), fail);
    } catch (error) {
      if (!(error instanceof ProtocolError)) fail(error);
    }
  }

  #openBackground({ perRequest }: ServedRevisions): BackgroundCalls {
    return new BackgroundCalls({
      answers: this.#services,
      detached: this.detached,
      observers: this.observers,
      findRevision: (wanted) => perRequest.find(({ version }) => version === wanted),
      findMethod: (name, revision) => this.#findMethod(name, revision),
    });
  }

  #findMethod(name: string, revision: Revision): CompiledMethod | undefined {
    return revision.requests.has(name) ? this.#methods.get(name) : undefined;
  }
}
