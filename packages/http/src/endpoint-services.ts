/**
 * What the methods of an endpoint work with, and where a message belongs: to a session, or to none. That is read once from the headers and
 * from the version that the message claims, and handed on.
 */
import type { Logger } from '@sigil-mcp/core';
import type { Kernel } from '@sigil-mcp/core/adapter';
import type { InboundMessage, Revision } from '@sigil-mcp/protocol';
import type { Challenges } from './authorization';
import type { HttpCall } from './call';
import type { RunningExchanges, UnreadAnswers } from './exchanges';
import type { StreamMode } from './options/endpoint-options';
import { refusal, sessionOver } from './responses';
import type { Session } from './sessions/session';
import type { Sessions } from './sessions/sessions';
import type { EventStreams } from './streams/event-streams';

/** The services of one endpoint. */
export interface EndpointServices {
  readonly kernel: Kernel;
  readonly logger: Logger;
  /** Undefined without sessions. */
  readonly sessions: Sessions | undefined;
  readonly exchanges: RunningExchanges;
  readonly streams: EventStreams;
  readonly unread: UnreadAnswers;
  /** Names missing rights in challenges; undefined without authentication. */
  readonly challenges: Challenges | undefined;
  /** `always`: every answer is a stream, also one without earlier messages. */
  readonly mode: StreamMode;
}

/** What is known of a message before it is read: its revision, its session. */
export interface MessageContext {
  /** The header `MCP-Protocol-Version`. */
  readonly version: string | undefined;
  /** Whether the message, or its header, belongs to a revision whose requests are complete in themselves. */
  readonly standsAlone: boolean;
  /** Whether there are sessions, and the message may belong to one. */
  readonly hasSession: boolean;
  /** The session that the client names, if it is alive and the client's own. */
  readonly live: Session | undefined;
}

type CalledRequest = Pick<HttpCall, 'header' | 'caller'>;

/** @param message undefined if there is no message, as with a GET */
export function readMessageContext(
  message: InboundMessage | undefined,
  call: CalledRequest,
  services: EndpointServices,
): MessageContext {
  const { conversations } = services.kernel;
  const version = call.header('mcp-protocol-version');
  const live = liveSession(call, services);
  // To a session whose revision has no such header it says nothing.
  const said = live?.conversation.revision.http.versionHeader === false ? undefined : version;
  const standsAlone = conversations.standsAlone(message, said);
  const hasSession = services.sessions !== undefined && conversations.findHandshake(version)?.http.sessions !== false;
  return { version, standsAlone, hasSession, live };
}

/** The revision that the client of an unreadable message speaks, as far as its headers say. */
export function revisionOf(call: CalledRequest, services: EndpointServices): Revision {
  const { conversations } = services.kernel;
  const said = liveSession(call, services)?.conversation.revision;
  return said ?? conversations.findHandshake(call.header('mcp-protocol-version')) ?? conversations.assumed;
}

/** The session of a message. Refuses with 400 without an id, or with another revision's version; with 404 if the session has ended. */
export function requireSession({ live: session, version }: MessageContext, call: HttpCall): Session {
  if (!session) {
    if (call.header('mcp-session-id') !== undefined) throw sessionOver();
    throw refusal(
      400,
      'The header Mcp-Session-Id is missing. Initialize first, and send the id that came with the answer.',
    );
  }
  session.renew(call.caller);
  const { revision } = session.conversation;
  if (revision.http.versionHeader && version !== undefined && version !== revision.version) {
    throw refusal(
      400,
      `The MCP-Protocol-Version ${JSON.stringify(version.slice(0, 100))} is not the ${revision.version} of this session.`,
    );
  }
  return session;
}

function liveSession(call: CalledRequest, { sessions }: EndpointServices): Session | undefined {
  const id = call.header('mcp-session-id');
  return id === undefined ? undefined : sessions?.table.find(id, call.caller.principal);
}
