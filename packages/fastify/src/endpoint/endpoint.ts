/** One MCP endpoint: what a POST, a GET and a DELETE do. Clients of all revisions come here. */
import {
  RunningCalls,
  WEIGHTS,
  andThen,
  endedCall,
  batchRefusal,
  type Connection,
  type IncomingRequest,
  type Kernel,
  type MaybePromise,
} from '@sigil-mcp/core/adapter';
import { Denial } from '@sigil-mcp/core';
import type {
  InboundBatch,
  InboundMessage,
  InboundNotification,
  InboundRequest,
  InboundResponse,
  RequestId,
} from '@sigil-mcp/protocol';
import { checkHeaders } from '../checks/header-checks';
import { checkStreamAccepted } from '../checks/media-types';
import { readBody, type BodyMessage } from '../checks/read-body';
import { clientNamed, clientOf, type ClientLoads } from '../exchange/client-loads';
import type { Exchanges } from '../exchange/exchanges';
import type { HttpCall } from '../exchange/http-exchange';
import type { UnreadAnswers } from '../exchange/unread-answers';
import { denied } from '../refusals/write-errors';
import { Refusal, methodNotAllowed, refusal, sessionOver } from '../refusals/refusal';
import { holding, orGiveBack } from '../sessions/holding';
import type { Session } from '../sessions/session';
import type { Resumption } from '../sessions/session-streams';
import type { SessionTable } from '../sessions/session-table';
import type { SharedSessions } from '../shared/shared-sessions';
import type { SseStream } from '../streams/sse-stream';
import type { SseStreams } from '../streams/sse-streams';

/** What an endpoint works with. */
export interface EndpointServices {
  readonly kernel: Kernel;
  readonly exchanges: Exchanges;
  readonly streams: SseStreams;
  /** Undefined without sessions. */
  readonly sessions: SessionTable | undefined;
  /** What the sessions share with other instances; undefined for a server that is alone. */
  readonly shared: SharedSessions | undefined;
  readonly unread: UnreadAnswers;
  readonly loads: ClientLoads;
}

/** Serves one path. Its methods throw a `Refusal` for what no handler gets to see. */
export class Endpoint {
  constructor(private readonly services: EndpointServices) {}

  /** Takes one message, or a batch where the session's revision has them. */
  post(call: HttpCall): MaybePromise<void> {
    const message = readBody(call.request.body, this.services.kernel.limits);
    try {
      return this.#take(message, call);
    } catch (error) {
      // The request was read, so its id is known, regardless of the reason for the refusal.
      const refused = error instanceof Denial ? denied(error) : error;
      throw refused instanceof Refusal && message.kind === 'request' ? refused.about(message.id) : refused;
    }
  }

  /** Opens the stream of a session, or goes on with one that broke. */
  get(call: HttpCall): MaybePromise<void> {
    const { request, reply } = call;
    if (!this.services.sessions || this.#standsAlone(undefined, call)) throw methodNotAllowed('POST');
    checkStreamAccepted(request);
    const session = this.#sessionOf(call);
    const { http } = session.conversation.revision;
    if (!http.getStream) throw methodNotAllowed('POST, DELETE');
    const lastEventId = request.headers['last-event-id'];
    this.services.streams.checkRoom(clientOf(call));
    this.services.unread.check(call);
    const wait = () => this.#openStream(call, true);
    if (lastEventId === undefined || !http.replay) return andThen(session.connectStandalone(wait), checkConnected);
    // A call that runs may be answered on it, which no other instance could do.
    const connect = () => this.#openStream(call, this.services.shared !== undefined);
    const resumed = typeof lastEventId === 'string' ? session.resume(lastEventId, connect) : 'unknown';
    return andThen(resumed, (outcome) => {
      checkResumed(outcome);
      // What was missed of a stream that is over waits as any answer does.
      if (reply.raw.writableEnded) this.services.unread.hold(call);
    });
  }

  /** A stream that is over with the token that opened it; what its session still has to say waits for the next one. */
  #openStream(call: HttpCall, isWaiting: boolean): SseStream {
    const { streams, kernel, loads } = this.services;
    const client = clientOf(call);
    if (isWaiting) streams.checkWaiting();
    // Others may have been opened while it was looked up what this one begins with.
    streams.checkRoom(client);
    const giveBack = kernel.weight.take(loads.of(call), WEIGHTS.stream);
    const stream = orGiveBack(giveBack, () =>
      isWaiting ? streams.openWaiting(call.reply, client) : streams.open(call.reply, client),
    );
    stream.onClose(giveBack);
    stream.onClose(kernel.expiries.add(call.caller.expiresAt, () => stream.end()));
    return stream;
  }

  /** Ends a session. */
  delete(call: HttpCall): MaybePromise<void> {
    const { sessions, shared } = this.services;
    if (!sessions || this.#standsAlone(undefined, call)) throw methodNotAllowed('POST');
    const session = this.#sessionOf(call);
    const ended = shared ? shared.end(session) : sessions.close(session, endedCall('SIGIL_SESSION_ENDED'));
    return andThen(ended, () => void call.reply.code(204).send());
  }

  /** How the id of a request that cannot be read is written in the revision that its client speaks, as far as its headers say. */
  unreadableId(call: Pick<HttpCall, 'request' | 'caller'>): null | undefined {
    const { conversations } = this.services.kernel;
    const said = this.#liveSession(call)?.conversation.revision ?? conversations.findHandshake(versionHeader(call));
    return (said ?? conversations.assumed).unreadableId;
  }

  #take(message: BodyMessage, call: HttpCall): MaybePromise<void> {
    switch (message.kind) {
      case 'request':
        return this.#takeRequest(message, call);
      case 'batch':
        return this.#takeBatch(message, call);
      case 'notification':
        if (!this.services.sessions || this.#standsAlone(message, call)) break;
        return this.#takeFor(this.#sessionOf(call), message, call);
      case 'response':
        return this.#takeFor(this.#sessionOf(call), message, call);
    }
    this.services.exchanges.acknowledge(call);
  }

  /** Takes what belongs to a session, and says so once everybody knows it who has to. */
  #takeFor(session: Session, message: InboundNotification | InboundResponse, call: HttpCall): MaybePromise<void> {
    if (message.kind === 'notification') this.services.kernel.notice(message, session.conversation);
    else session.conversation.lasting?.acceptResponse(message);
    const { shared, exchanges } = this.services;
    const saved = andThen(shared?.passOn(session, message), () => session.save());
    return andThen(saved, () => exchanges.acknowledge(call));
  }

  #takeRequest(request: InboundRequest, call: HttpCall): void {
    const { kernel, exchanges, sessions } = this.services;
    const standsAlone = this.#standsAlone(request, call);
    const session = !standsAlone && this.#needsSession(request, call) ? this.#sessionOf(call) : undefined;
    const incoming = kernel.open(request, session ?? this.#connectionOf(call));
    checkHeaders(incoming, call.request.raw, standsAlone);
    if (incoming.method?.isLasting) this.services.streams.checkRoom(clientOf(call));
    if (!incoming.method?.isLight) this.services.unread.check(call);
    const { conversation, opens } = incoming.opening;
    if (opens && sessions && conversation.revision.http.sessions) this.#openSession(incoming, call, sessions);
    else exchanges.answer(incoming, { conversation, call, session });
    if (session) this.services.shared?.begun(session, [request.id]);
  }

  /** Whether a request belongs to a session that was opened before. */
  #needsSession(request: InboundRequest, call: HttpCall): boolean {
    if (!this.services.sessions || this.#speaksWithoutSessions(call)) return false;
    return request.method !== 'initialize' || this.#liveSession(call) !== undefined;
  }

  #openSession(incoming: IncomingRequest, call: HttpCall, sessions: SessionTable): void {
    const { conversation } = incoming.opening;
    const { shared, kernel, exchanges } = this.services;
    const { running } = conversation;
    const countedFor = clientOf(call);
    const session = holding(kernel, conversation, () =>
      sessions.open({ conversation, running, caller: call.caller, countedFor }),
    );
    shared?.opened(session);
    void call.reply.header('mcp-session-id', session.id);
    exchanges.answer(incoming, { conversation, call, session }, (answer) => {
      if (!answer?.failure) {
        // Other instances are notified, because one of them may hold the stream.
        if (!shared) session.follow(kernel.listeners);
        return;
      }
      void call.reply.removeHeader('mcp-session-id');
      sessions.close(session, endedCall('SIGIL_HANDSHAKE_FAILED'));
    });
  }

  #takeBatch(batch: InboundBatch, call: HttpCall): MaybePromise<void> {
    const { kernel, exchanges, sessions, shared } = this.services;
    const isAlone = batch.messages.some((message) => this.#standsAlone(message, call));
    const session = sessions && !isAlone ? this.#sessionOf(call) : undefined;
    const connection = session ?? this.#batchConnectionOf(call);
    const error = batchRefusal(batch, connection, kernel);
    if (error instanceof Denial) throw error;
    if (error || !connection.held) throw refusal(400, error?.message ?? 'The batch belongs to no session.');
    this.services.unread.check(call);
    const setting = { conversation: connection.held, call, session };
    const passedOn = session && shared?.passOnAll(session, batch.messages);
    return andThen(passedOn, () => {
      exchanges.answerBatch(batch, connection, setting);
      if (session) shared?.begun(session, batch.messages.flatMap(idOf));
    });
  }

  /** The connection of a request that belongs to no session. */
  #connectionOf(call: HttpCall): Connection {
    const isStateless = this.services.sessions === undefined || this.#speaksWithoutSessions(call);
    const running = new RunningCalls(this.services.loads.of(call));
    return { held: undefined, running, version: versionHeader(call), isStateless };
  }

  /** The connection of a batch that belongs to no session: all of its members are answered in one conversation. */
  #batchConnectionOf(call: HttpCall): Connection {
    const running = new RunningCalls(this.services.loads.of(call));
    const held = this.services.kernel.conversations.openStateless(versionHeader(call), running);
    return { held, running };
  }

  /** Whether a message belongs to no session because it, or its header, speaks a revision without them. */
  #standsAlone(message: InboundMessage | undefined, call: HttpCall): boolean {
    const { conversations } = this.services.kernel;
    if (conversations.standsAlone(message)) return true;
    const version = versionHeader(call);
    // To a session whose revision has no such header it says nothing.
    return (
      conversations.standsAlone(undefined, version) &&
      this.#liveSession(call)?.conversation.revision.http.versionHeader !== false
    );
  }

  /** Whether the version header names a revision with a handshake and without sessions. */
  #speaksWithoutSessions(call: HttpCall): boolean {
    return this.services.kernel.conversations.findHandshake(versionHeader(call))?.http.sessions === false;
  }

  /** The session that a client names, where it is alive and the client's own. */
  #liveSession({ request, caller }: Pick<HttpCall, 'request' | 'caller'>): Session | undefined {
    const id = request.headers['mcp-session-id'];
    return typeof id === 'string' ? this.services.sessions?.find(id, caller.principal) : undefined;
  }

  /** The session that a request names. Refuses with 400 without an id, or with another revision's version; 404 if it is over. */
  #sessionOf(call: HttpCall): Session {
    const id = call.request.headers['mcp-session-id'];
    if (typeof id !== 'string')
      throw refusal(
        400,
        'The header Mcp-Session-Id is missing. Initialize first, and send the id that came with the answer.',
      );
    const session = this.services.sessions?.find(id, call.caller.principal) ?? this.#claim(id, call);
    if (!session) throw sessionOver();
    session.renew(call.caller);
    const version = versionHeader(call);
    const { revision } = session.conversation;
    if (revision.http.versionHeader && version !== undefined && version !== revision.version) {
      throw refusal(
        400,
        `The MCP-Protocol-Version ${JSON.stringify(version.slice(0, 100))} is not the ${revision.version} of this session.`,
      );
    }
    return session;
  }

  /** A session that belongs to nobody is whose first good token comes with it: a client may sign in once it has to. */
  #claim(id: string, { caller: { principal } }: HttpCall): Session | undefined {
    const { sessions, shared, loads } = this.services;
    const session = sessions?.get(id);
    // What is shared has changed hands before, for all instances.
    if (!session || shared || principal === undefined || session.principal !== undefined) return undefined;
    sessions?.give(session, principal, clientNamed(principal));
    loads.move(session.running.load, session.countedFor);
    // The roots that another user may have reported are no longer valid.
    session.conversation.lasting?.notice('notifications/roots/list_changed');
    return sessions?.find(id, principal);
  }
}

function idOf(message: InboundMessage): readonly RequestId[] {
  return message.kind === 'request' ? [message.id] : [];
}

function checkConnected(isConnected: boolean): void {
  if (!isConnected) throw refusal(409, 'This session has an open stream already.');
}

function checkResumed(outcome: Resumption): void {
  if (outcome === 'unknown') throw refusal(400, 'Last-Event-ID names no event of this session.');
  if (outcome === 'gone')
    throw refusal(
      410,
      'What followed the event of this Last-Event-ID is not kept any more (limits.streamEvents, sessionEvents, events). Send the request again, or open a stream without the header.',
    );
}

function versionHeader({ request }: Pick<HttpCall, 'request'>): string | undefined {
  const version = request.headers['mcp-protocol-version'];
  return typeof version === 'string' ? version : undefined;
}
