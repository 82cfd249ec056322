/**
 * The one switch between the two ways of talking: a request that names its revision is served by itself, `initialize` opens
 * a conversation that later requests belong to.
 * @see https://modelcontextprotocol.io/specification/draft/basic/versioning
 */
import {
  HANDSHAKE_REVISIONS,
  META_KEYS,
  NEWEST_HANDSHAKE_REVISION,
  NEWEST_PER_REQUEST_REVISION,
  PER_REQUEST_REVISIONS,
  ProtocolError,
  findRevision,
  type InboundRequest,
  type JsonObject,
  type Revision,
} from '@sigil-mcp/protocol';
import type { ClientFacts } from '../context/mcp-context';
import type { RunningCalls } from '../calls/running-calls';
import type { Conversation } from '../calls/conversation';
import { HandshakeConversation } from './handshake-conversation';
import { PerRequestConversation } from './per-request-conversation';

/** Where a request is answered, or why it is not. */
export type Opening =
  | {
      readonly conversation: Conversation;
      /** Set by `initialize`: the conversation that later requests belong to, if the answer is a success. */
      readonly opened?: Conversation;
    }
  | { readonly refusal: ProtocolError; readonly revision: Revision };

/** What is known of a connection (stdio) or a session (HTTP). */
export interface Connection {
  /** Opened by an earlier `initialize`. */
  readonly held: Conversation | undefined;
  readonly running: RunningCalls;
}

/** Chooses the conversation of one request. */
export function openConversation(request: InboundRequest, { held, running }: Connection): Opening {
  if (hasClaim(request.params)) return openByClaim(request.params, running);
  if (request.method === 'initialize')
    return held ? refuse('The session is initialized already.', held.revision) : shakeHands(request, running);
  if (isPerRequestOnly(request.method))
    return { conversation: new PerRequestConversation(NEWEST_PER_REQUEST_REVISION, running) };
  if (held) return { conversation: held };
  if (request.method === 'ping') return { conversation: strangersConversation(running) };
  return refuse('Send initialize first.', NEWEST_HANDSHAKE_REVISION);
}

/** Whether a message names its revision itself. */
export function hasClaim(params: JsonObject | undefined): params is JsonObject {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null && Object.hasOwn(meta, META_KEYS.protocolVersion);
}

/**
 * Whether a version that travels outside the message (the `MCP-Protocol-Version` header) is one whose requests name their
 * revision themselves; dates compare as text.
 */
export function isPerRequestVersion(version: string): boolean {
  const [oldest] = PER_REQUEST_REVISIONS;
  return oldest !== undefined && REVISION_DATE.test(version) && version >= oldest.version;
}

/** Other text would compare too, as newer than any date. */
const REVISION_DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The conversation of a handshake revision's request where there are no sessions: nothing is known of the client.
 * @param version of the `MCP-Protocol-Version` header; without one the specification says which revision to assume
 * @returns undefined for a version that is not served
 */
export function openStatelessConversation(
  version: string | undefined,
  running: RunningCalls,
): Conversation | undefined {
  const revision = HANDSHAKE_REVISIONS.find((served) => served.version === (version ?? ASSUMED_VERSION));
  return revision && new HandshakeConversation(revision, running, STRANGER, withoutSessions(revision));
}

function withoutSessions({ version }: Revision): string {
  return `This server keeps no sessions, so a client that speaks ${version} cannot be asked anything. Serve with sessions, or use a client that speaks ${NEWEST_PER_REQUEST_REVISION.version}.`;
}

/** @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#protocol-version-header */
const ASSUMED_VERSION = '2025-03-26';

const STRANGER: ClientFacts = Object.freeze({ name: undefined, version: undefined, capabilities: {} });

function openByClaim(params: JsonObject, running: RunningCalls): Opening {
  // `hasClaim` has seen that there is an object here.
  const requested = (params['_meta'] as JsonObject)[META_KEYS.protocolVersion];
  const revision = PER_REQUEST_REVISIONS.find(({ version }) => version === requested);
  // A version that is no string is the business of the newest revision's own check of its metadata.
  if (revision || typeof requested !== 'string') {
    return { conversation: new PerRequestConversation(revision ?? NEWEST_PER_REQUEST_REVISION, running) };
  }
  const supported = PER_REQUEST_REVISIONS.map(({ version }) => version);
  const message = `Protocol version ${JSON.stringify(requested.slice(0, 100))} is not served with a request; use ${supported.join(', ')}, or initialize.`;
  return {
    refusal: new ProtocolError('unsupported-protocol-version', message, { supported, requested }),
    revision: NEWEST_PER_REQUEST_REVISION,
  };
}

/** The revision the client proposes, or the newest that this way of meeting has. */
function shakeHands({ params }: InboundRequest, running: RunningCalls): Opening {
  const proposed = params?.['protocolVersion'];
  const known = typeof proposed === 'string' ? findRevision(proposed) : undefined;
  const revision = known && HANDSHAKE_REVISIONS.includes(known) ? known : NEWEST_HANDSHAKE_REVISION;
  try {
    const { clientInfo, capabilities } = revision.readRequest('initialize', params);
    const { name, version } = clientInfo;
    const opened = new HandshakeConversation(revision, running, { name, version, capabilities });
    return { conversation: opened, opened };
  } catch (error) {
    if (error instanceof ProtocolError) return { refusal: error, revision };
    throw error;
  }
}

/** A method that no handshake revision has; without a claim it is a malformed request of the others. */
function isPerRequestOnly(method: string): boolean {
  const has = ({ requests }: Revision): boolean => requests.has(method);
  return PER_REQUEST_REVISIONS.some(has) && !HANDSHAKE_REVISIONS.some(has);
}

/** Of a client that has not said who it is: its `ping` is answered, its cancellations are heard. */
export function strangersConversation(running: RunningCalls): Conversation {
  return new HandshakeConversation(NEWEST_HANDSHAKE_REVISION, running, STRANGER);
}

function refuse(message: string, revision: Revision): Opening {
  return { refusal: new ProtocolError('invalid-request', message), revision };
}
