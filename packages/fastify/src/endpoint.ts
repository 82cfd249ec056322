/** One MCP endpoint: what a POST, a GET and a DELETE do. Clients of all revisions come here. */
import {
  RunningCalls,
  hasClaim,
  isPerRequestVersion,
  openConversation,
  openStatelessConversation,
  type Conversation,
  type Kernel,
} from '@sigil-mcp/core';
import type { ProtocolError } from '@sigil-mcp/protocol';
import { type InboundBatch, type InboundRequest, type Revision } from '@sigil-mcp/protocol';
import { checkStreamAccepted } from './checks/media-types';
import { openPerRequest } from './checks/per-request-checks';
import type { Exchanges, HttpCall, Setting } from './exchange/exchanges';
import type { SseStreams } from './exchange/sse-streams';
import { readBody, type BodyMessage } from './read-body';
import { Refusal, methodNotAllowed, refuse, refuseRequest } from './refusal';
import type { Session } from './sessions/session';
import type { SessionTable } from './sessions/session-table';

/** What an endpoint works with. */
export interface EndpointParts {
  readonly kernel: Kernel;
  readonly exchanges: Exchanges;
  readonly streams: SseStreams;
  /** Undefined where there are no sessions. */
  readonly sessions: SessionTable | undefined;
}

/** Serves one path. Its methods throw a `Refusal` for what no handler gets to see. */
export class Endpoint {
  constructor(private readonly parts: EndpointParts) {}

  /** One message, or a batch where the session's revision has them. */
  post(call: HttpCall): void {
    const message = readBody(call.request.body);
    try {
      this.#take(message, call);
    } catch (error) {
      // The request was read, so its id is known, whatever it is refused for.
      throw error instanceof Refusal && message.kind === 'request' ? error.about(message.id) : error;
    }
  }

  /** Opens the stream of a session, or goes on with one that broke. */
  get(call: HttpCall): void {
    const { request, reply } = call;
    if (!this.parts.sessions || isStateless(call, false)) throw methodNotAllowed('POST');
    checkStreamAccepted(request);
    const session = this.#sessionOf(call);
    const { http } = session.conversation.revision;
    if (!http.getStream) throw methodNotAllowed('POST, DELETE');
    const lastEventId = request.headers['last-event-id'];
    const connect = () => this.parts.streams.open(reply);
    if (lastEventId === undefined || !http.replay) {
      if (!session.connectStandalone(connect)) throw refuse(409, 'This session has an open stream already.');
    } else if (typeof lastEventId !== 'string' || !session.resume(lastEventId, connect)) {
      throw refuse(400, 'Last-Event-ID names no event of this session.');
    }
  }

  /** Ends a session. */
  delete(call: HttpCall): void {
    const { sessions } = this.parts;
    if (!sessions || isStateless(call, false)) throw methodNotAllowed('POST');
    sessions.close(this.#sessionOf(call), 'The client ended the session.');
    void call.reply.code(204).send();
  }

  #take(message: BodyMessage, call: HttpCall): void {
    switch (message.kind) {
      case 'request':
        return this.#takeRequest(message, call);
      case 'batch':
        return this.#takeBatch(message, call);
      case 'notification':
        if (!isStateless(call, hasClaim(message.params)) && this.parts.sessions) {
          this.parts.kernel.notice(message, this.#sessionOf(call).conversation);
        }
        break;
      case 'response':
        this.#sessionOf(call).conversation.acceptResponse(message);
    }
    void call.reply.code(202).send();
  }

  #takeRequest(request: InboundRequest, call: HttpCall): void {
    if (isStateless(call, hasClaim(request.params))) this.#answerAlone(request, call);
    else if (!this.parts.sessions) this.#answerStateless(request, call);
    else if (request.method === 'initialize' && !this.#hasLiveSession(call))
      this.#openSession(request, call, this.parts.sessions);
    else this.#answerInSession(request, call);
  }

  /** A request that names its revision itself is a conversation of its own. */
  #answerAlone(request: InboundRequest, call: HttpCall): void {
    const running = new RunningCalls();
    const conversation = openPerRequest({ request, message: call.request.raw, kernel: this.parts.kernel }, running);
    this.parts.exchanges.answer(request, { conversation, running, call });
  }

  #answerStateless(request: InboundRequest, call: HttpCall): void {
    const running = new RunningCalls();
    const conversation =
      request.method === 'initialize'
        ? this.#shakeHands(request, running)
        : openStatelessConversation(versionHeader(call), running);
    if (!conversation)
      throw refuse(400, `The MCP-Protocol-Version ${JSON.stringify(versionHeader(call))} is not served.`);
    this.parts.exchanges.answer(request, { conversation, running, call });
  }

  #openSession(request: InboundRequest, call: HttpCall, sessions: SessionTable): void {
    const running = new RunningCalls();
    const conversation = this.#shakeHands(request, running);
    const session = sessions.open({ conversation, running, principal: call.user?.id });
    void call.reply.header('mcp-session-id', session.id);
    this.parts.exchanges.answer(request, { conversation, running, call, session }, (answer) => {
      if (!answer?.failure) {
        session.follow(this.parts.kernel.audience);
        return;
      }
      void call.reply.removeHeader('mcp-session-id');
      sessions.close(session, 'The handshake failed.');
    });
  }

  #answerInSession(request: InboundRequest, call: HttpCall): void {
    const session = this.#sessionOf(call);
    const opening = openConversation(request, { held: session.conversation, running: session.running });
    if ('refusal' in opening) throw refusalOf(request, opening);
    this.parts.exchanges.answer(request, {
      conversation: opening.conversation,
      running: session.running,
      call,
      session,
    });
  }

  #takeBatch({ messages }: InboundBatch, call: HttpCall): void {
    const claims = messages.some((message) => 'params' in message && hasClaim(message.params));
    const setting = isStateless(call, claims) ? undefined : this.#settingOfBatch(call);
    if (!setting?.conversation.revision.batches) {
      throw refuse(400, 'Batches are not part of this protocol revision: send one message at a time.');
    }
    this.parts.exchanges.answerBatch(messages, setting);
  }

  #settingOfBatch(call: HttpCall): Setting | undefined {
    if (this.parts.sessions) {
      const session = this.#sessionOf(call);
      return { conversation: session.conversation, running: session.running, call, session };
    }
    const running = new RunningCalls();
    const conversation = openStatelessConversation(versionHeader(call), running);
    return conversation && { conversation, running, call };
  }

  #shakeHands(request: InboundRequest, running: RunningCalls): Conversation {
    const opening = openConversation(request, { held: undefined, running });
    if ('refusal' in opening) throw refusalOf(request, opening);
    return opening.conversation;
  }

  #hasLiveSession({ request, user }: HttpCall): boolean {
    const id = request.headers['mcp-session-id'];
    return typeof id === 'string' && this.parts.sessions?.find(id, user?.id) !== undefined;
  }

  /** 400 without an id, or with the version of another revision; 404 for an id that is over. */
  #sessionOf(call: HttpCall): Session {
    const id = call.request.headers['mcp-session-id'];
    if (typeof id !== 'string')
      throw refuse(
        400,
        'The header Mcp-Session-Id is missing. Initialize first, and send the id that came with the answer.',
      );
    const session = this.parts.sessions?.find(id, call.user?.id);
    if (!session) throw refuse(404, 'The session is over or was never opened. Initialize again.');
    const version = versionHeader(call);
    const { revision } = session.conversation;
    if (version !== undefined && version !== revision.version) {
      throw refuse(
        400,
        `The MCP-Protocol-Version ${JSON.stringify(version.slice(0, 100))} is not the ${revision.version} of this session.`,
      );
    }
    return session;
  }
}

/** Whether a message belongs to no session because it, or its header, speaks a revision without them. */
function isStateless(call: HttpCall, claims: boolean): boolean {
  const version = versionHeader(call);
  return claims || (version !== undefined && isPerRequestVersion(version));
}

function versionHeader({ request }: HttpCall): string | undefined {
  const version = request.headers['mcp-protocol-version'];
  return typeof version === 'string' ? version : undefined;
}

function refusalOf(
  { id }: InboundRequest,
  { refusal, revision }: { readonly refusal: ProtocolError; readonly revision: Revision },
): Refusal {
  return refuseRequest(refusal.error === 'invalid-request' ? 400 : 200, refusal, { id, revision });
}
