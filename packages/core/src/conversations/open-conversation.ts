/**
 * The one switch between the two lifecycles: a request that names its revision is served on its own, in a conversation of one request, and
 * `initialize` opens a conversation for later requests. Parts of a request that were read here are passed on, so that they are read once.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import {
  META_KEYS,
  ProtocolError,
  type InboundMessage,
  type InboundRequest,
  type InitializeParams,
  type JsonObject,
  type RequestMeta,
  type Revision,
  type ServedRevisions,
  weightOfValue,
  type ClientCapabilities,
  type LogLevel,
} from '@sigil-mcp/protocol';
import { shorten } from '@sigil-mcp/base';
import type { Conversation, ConversationRecord, QuestionedCall } from '../calls/conversation';
import type { RunningCalls } from '../calls/running-calls';
import type { ClientFacts } from '../context/mcp-context';
import { ExceededLimit } from '../errors/denial';
import type { ResolvedLimits } from '../limits/server-limits';
import { addAnswers, newJournal } from '../asking/call-memory';
import type { Questions } from '../asking/questions';
import { ReplayedQuestions } from '../asking/replayed-questions';
import { HandshakeConversation, type ConversationSetting } from './handshake-conversation';

/** The state of a message's source: a connection (stdio), a session or a single request (HTTP). */
export interface MessageSource {
  /** The conversation that an earlier `initialize` opened; undefined if there was no `initialize`. */
  readonly held: Conversation | undefined;
  /** The pending requests of this source. */
  readonly running: RunningCalls;
  /** The version in the `MCP-Protocol-Version` header. */
  readonly version?: string | undefined;
  /** Whether handshakes open no conversation, because no state is kept between requests; false if left out. */
  readonly isStateless?: boolean;
}

/** How one request is served, or why it is refused. */
export interface Opening {
  /** The conversation that answers the request; a refusal is written in its revision. */
  readonly conversation: Conversation;
  /** Whether later requests belong to the conversation, if the answer is a success. */
  readonly opens: boolean;
  /** Why the request is refused; undefined if it is served. */
  readonly refusal: ProtocolError | undefined;
  /** The version that the request names, a string or not; undefined if it names none. */
  readonly claim: unknown;
  /** The request's metadata; undefined if it could not be read, or if the request was refused before. */
  readonly meta: RequestMeta | undefined;
  /** The fault of the request's metadata; undefined if it could be read. */
  readonly malformed: ProtocolError | undefined;
  /** The parameters of `initialize`, which were read to open the conversation; undefined for any other method. */
  readonly params: InitializeParams | undefined;
}

/** Chooses the conversations of one server's clients. */
export class ConversationSwitch {
  /** Settings of conversations without sessions: a message for each revision. Made once, for a request opens one each. */
  readonly #withoutSessions: ReadonlyMap<Revision, ConversationSetting>;

  constructor(
    private readonly revisions: ServedRevisions,
    private readonly limits: Pick<ResolvedLimits, 'clientFacts'>,
    private readonly budget: Pick<ConversationSetting, 'account' | 'subscriptions'>,
  ) {
    const { handshake, newestPerRequest } = revisions;
    this.#withoutSessions = new Map(
      handshake.map((revision) => [revision, { ...budget, unreachable: unreachable(revision, newestPerRequest) }]),
    );
  }

  /** The revision of answers to messages that belong to no conversation and name no revision. */
  get assumed(): Revision {
    return this.revisions.newestHandshake;
  }

  /** The revision of this date, if it is served and has a handshake. */
  findHandshake(version: string | undefined): Revision | undefined {
    return this.revisions.handshake.find((served) => served.version === version);
  }

  /**
   * Whether a message belongs to no lasting conversation: the version that it names, or the one in its header, has none.
   * @param message undefined if there is no message, as with a GET
   * @param version the version in the `MCP-Protocol-Version` header
   */
  standsAlone(message: InboundMessage | undefined, version?: string): boolean {
    if (message && 'params' in message && claimOf(message.params) !== undefined) return true;
    return version !== undefined && this.#namesPerRequest(version, message);
  }

  /** Whether the header of a message makes it one of a conversation of its own. */
  #namesPerRequest(version: string, message: InboundMessage | undefined): boolean {
    return !negotiates(message) && this.#isPerRequestVersion(version);
  }

  /** Whether a version in a header is that of a revision whose requests name their version; dates compare as text. */
  #isPerRequestVersion(version: string): boolean {
    const [oldest] = this.revisions.perRequest;
    return oldest !== undefined && version >= oldest.version && REVISION_DATE.test(version);
  }

  /** Whether a notification is part of any handshake revision; all others are ignored. */
  hears(notification: string): boolean {
    return this.revisions.handshake.some(({ notifications }) => notifications.has(notification));
  }

  /** Chooses the conversation of one request. Faults of the request are part of the result, not thrown. */
  open(request: InboundRequest, { held, running, version, isStateless = false }: MessageSource): Opening {
    const claim = claimOf(request.params);
    if (claim !== undefined || (version !== undefined && this.#namesPerRequest(version, request)))
      return this.#openByClaim(request, claim, running);
    if (request.method === 'initialize') {
      if (held) return refused(held, 'The session is initialized already.');
      return this.#shakeHands(request, running);
    }
    if (isStateless && !held) return this.#openStatelessRequest(request, version, running);
    if (held) return opened(held, request);
    if (this.#isPerRequestOnly(request.method)) return this.#openByClaim(request, claim, running);
    const unopened = this.openForUnknown(running);
    if (request.method === 'ping') return opened(unopened, request);
    return refused(unopened, 'Send initialize first.');
  }

  /**
   * The conversation of a handshake revision's request on a server without sessions: the server has no facts about the client.
   * @param version the version in the `MCP-Protocol-Version` header; without one the specification defines which revision to assume
   * @returns undefined for a version that is not served
   */
  openStateless(version: string | undefined, running: RunningCalls): Conversation | undefined {
    const revision = this.findHandshake(version ?? ASSUMED_VERSION);
    const setting = revision && this.#withoutSessions.get(revision);
    return setting && new HandshakeConversation(revision, running, UNKNOWN_CLIENT, setting);
  }

  /** Continues a conversation that another process has opened; undefined if its revision is not served here. */
  reopen(record: ConversationRecord, running: RunningCalls): Conversation | undefined {
    const revision = this.findHandshake(record.revision);
    if (!revision) return undefined;
    const { name, version, capabilities } = record;
    const conversation = this.#shakenHands(revision, running, { name, version, capabilities });
    conversation.restore(record);
    return conversation;
  }

  /** The conversation of a client that has not introduced itself: only its `ping` is answered, and its cancellations are read. */
  openForUnknown(running: RunningCalls): Conversation {
    return this.#shakenHands(this.revisions.newestHandshake, running);
  }

  #openStatelessRequest(request: InboundRequest, version: string | undefined, running: RunningCalls): Opening {
    const conversation = this.openStateless(version, running);
    if (conversation) return opened(conversation, request);
    const message = `The MCP-Protocol-Version ${JSON.stringify(version?.slice(0, 100))} is not served.`;
    return refused(this.openForUnknown(running), message);
  }

  #openByClaim(request: InboundRequest, claim: unknown, running: RunningCalls): Opening {
    const known = this.revisions.perRequest.find(({ version }) => version === claim);
    const conversation = new PerRequestConversation(known ?? this.revisions.newestPerRequest, running);
    const opening = opened(conversation, request, claim);
    // A version that is not a string is refused when the newest revision reads the metadata.
    if (known || typeof claim !== 'string') return opening;
    return { ...opening, refusal: this.#notServed(claim) };
  }

  #notServed(requested: string): ProtocolError {
    const supported = this.revisions.perRequest.map(({ version }) => version);
    const short = shorten(requested, 100);
    const message = `Protocol version ${JSON.stringify(short)} is not served with a request; use ${supported.join(', ')}, or initialize.`;
    return new ProtocolError('unsupported-protocol-version', message, { supported, requested: short });
  }

  /** Opens a conversation in the revision that the client proposes, or in the newest one with a handshake. */
  #shakeHands(request: InboundRequest, running: RunningCalls): Opening {
    const proposed = request.params?.['protocolVersion'];
    const known = this.revisions.handshake.find(({ version }) => version === proposed);
    const revision = known ?? this.revisions.newestHandshake;
    try {
      const params = revision.readRequest('initialize', request.params);
      const { clientInfo, capabilities } = params;
      const { name, version } = clientInfo;
      const facts = { name, version, capabilities };
      this.#checkWeight(facts);
      return { ...opened(this.#shakenHands(revision, running, facts), request), opens: true, params };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { ...opened(this.#shakenHands(revision, running), request), refusal: error };
    }
  }

  #shakenHands(revision: Revision, running: RunningCalls, client = UNKNOWN_CLIENT): HandshakeConversation {
    return new HandshakeConversation(revision, running, client, this.budget);
  }

  /** The facts are held for as long as the conversation lasts. */
  #checkWeight(facts: ClientFacts): void {
    const { clientFacts } = this.limits;
    if (weightOfValue(facts, clientFacts) > clientFacts)
      throw new ExceededLimit(
        'invalid-params',
        `The name, version and capabilities of a client may take ${clientFacts} bytes of memory (limits.clientFacts).`,
        'limits.clientFacts',
      );
  }

  /** Whether only per-request revisions have a method: without a claim it is a malformed request of theirs. */
  #isPerRequestOnly(method: string): boolean {
    const has = ({ requests }: Revision): boolean => requests.has(method);
    return this.revisions.perRequest.some(has) && !this.revisions.handshake.some(has);
  }
}

/** Why a client of a revision that shakes hands cannot be asked anything without sessions. */
function unreachable({ version }: Revision, { version: newest }: Revision): string {
  return `This server keeps no sessions, so a client that speaks ${version} cannot be asked anything. Serve with sessions, or use a client that speaks ${newest}.`;
}

/** The version that a message claims; undefined if it names none. */
function claimOf(params: JsonObject | undefined): unknown {
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null || !Object.hasOwn(meta, META_KEYS.protocolVersion)) return undefined;
  // `hasOwn` has seen the member; an array has none of this name.
  return (meta as JsonObject)[META_KEYS.protocolVersion];
}

/** Whether the version is decided by the answer to a message. The header decides nothing then. */
function negotiates(message: InboundMessage | undefined): boolean {
  return message?.kind === 'request' && message.method === 'initialize';
}

/** The format of revisions. Other text would compare too, as newer than any date. */
const REVISION_DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The revision of a request without a version header.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#protocol-version-header
 */
const ASSUMED_VERSION = '2025-03-26';

const UNKNOWN_CLIENT: ClientFacts = Object.freeze({ name: undefined, version: undefined, capabilities: {} });

function opened(conversation: Conversation, { params }: InboundRequest, claim?: unknown): Opening {
  let meta: RequestMeta | undefined;
  let malformed: ProtocolError | undefined;
  try {
    meta = conversation.revision.readMeta(params);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    malformed = error;
  }
  return { conversation, opens: false, refusal: undefined, claim, meta, malformed, params: undefined };
}

function refused(conversation: Conversation, message: string): Opening {
  const refusal = new ProtocolError('invalid-request', message);
  return {
    conversation,
    opens: false,
    refusal,
    claim: undefined,
    meta: undefined,
    malformed: undefined,
    params: undefined,
  };
}

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
