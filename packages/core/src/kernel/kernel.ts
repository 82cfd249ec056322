/**
 * The heart of a server: classifies messages, runs their methods, and returns the answers. Transports move the texts; all conversations
 * of all transports share one kernel.
 */
import { ProtocolError, type InboundNotification, type InboundRequest, type Revision } from '@sigil-mcp/protocol';
import type { Conversation, Exchange } from '../calls/conversation';
import { endedCall } from '../errors/failures';
import type { Notes } from '../context/observer';
import type { CallRecord } from '../calls/call-record';
import { declares, type BackgroundCall, type BackgroundWay } from '../extensions/extension-call';
import type { OwnedListener } from '../extensions/server-extensions';
import { ConversationSwitch, type MessageSource } from '../conversations/open-conversation';
import { WEIGHTS } from '../limits/account';
import { memoryReport, type MemoryReport } from '../limits/needed-memory';
import { unawaited, type MaybePromise } from '@sigil-mcp/base';
import { compileMethod, type CompiledMethod, type IncomingRequest, type WrittenAnswer } from './compiled-method';
import { BackgroundCalls } from './background-calls';
import type { ServerContext } from './server-context';
import { PendingAnswer } from './pending-answer';
import { allMethods } from './methods/all-methods';
import { outsideRequests, type RunOutside } from '../values/outside-requests';

/** Serves all conversations of one server. */
export class Kernel {
  /** Chooses the conversations of clients. */
  readonly conversations: ConversationSwitch;
  /** Runs what belongs to no request: in the context in which the server has started. */
  readonly outside: RunOutside = outsideRequests();
  /** The methods that the server offers, by their names. */
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  readonly #background: BackgroundCalls;

  constructor(readonly context: ServerContext) {
    const { capabilities, revisions, interceptors, limits, account, subscriptions } = context;
    this.conversations = new ConversationSwitch(revisions, limits, { account, subscriptions });
    this.#background = new BackgroundCalls(context, (name, revision) => this.#findMethod(name, revision));
    const offered = allMethods(context).filter(
      ({ capability }) => capability === undefined || capabilities[capability] !== undefined,
    );
    const isTimed = this.context.observers?.watchesStages ?? false;
    this.methods = new Map(offered.map((handler) => [handler.method, compileMethod(handler, interceptors, isTimed)]));
  }

  /** Whether callers without a token are admitted, because some entry is public. */
  get admitsWithoutToken(): boolean {
    return this.context.registry.hasPublic;
  }

  /** Ends all subscriptions, and stops waiting for expiries. */
  close(): void {
    this.context.listeners.close();
    this.context.expiries.clear();
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
    return memoryReport(this.context.account, this.context.limits);
  }

  /**
   * Counts a lasting conversation among the memory of its client, for as long as its client is connected.
   * @returns a function that releases it before that, if the conversation is not kept
   * @throws Denial if its client, or all clients, exceed the limit
   */
  hold({ lasting, running, revision }: Conversation): () => void {
    if (!lasting) return () => undefined;
    const release = this.context.account.take(running.load, 'sessions', WEIGHTS.session + lasting.weight);
    const end = this.context.observers?.session(lasting, revision);
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
    const watched = this.context.observers?.start(incoming, exchange, () => this.#notesOf(incoming));
    if (!watched) return new PendingAnswer(incoming, exchange, this.context, undefined).run();
    return watched.run(() => new PendingAnswer(incoming, exchange, this.context, watched).run());
  }

  /** What observers noted in the request before, whose answer was a question. */
  #notesOf({ request, method, opening }: IncomingRequest): Notes | undefined {
    try {
      const retry = method && opening.conversation.revision.readRetry(method.method, request.params);
      const { requestState } = retry ?? {};
      return requestState === undefined ? undefined : this.context.asking.states.notesIn(requestState);
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
    this.context.observers?.noticed(notification, conversation);
    if (!conversation.revision.notifications.has(method)) return;
    const served = this.context.extensions.listener(method);
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
    const fail = (error: unknown): void => void this.context.maskError(error, { method });
    try {
      const read = revision.readNotification(method, params);
      if (read) unawaited(listener.handle(read, client, owner.started), fail);
    } catch (error) {
      if (!(error instanceof ProtocolError)) fail(error);
    }
  }

  #findMethod(name: string, revision: Revision): CompiledMethod | undefined {
    return revision.requests.has(name) ? this.methods.get(name) : undefined;
  }
}
