/**
 * What the methods of an endpoint work with, and where a message belongs: to a session, or to none. That is read once from the headers and
 * from the version that the message claims, and handed on.
 */
import type { Logger } from '@sigil-mcp/core';
import { settleWithin, type Kernel, type Network } from '@sigil-mcp/core/adapter';
import { Budget, type Account, type RunningCalls } from '@sigil-mcp/core/internal';
import type { InboundMessage, Revision } from '@sigil-mcp/protocol';
import type { Challenges } from './authorization';
import { busy, clientOf, refusal, sessionOver, type HttpCall } from './call';
import type { ResolvedEndpointLimits, StreamMode } from './options/endpoint-options';
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

// The exchanges of an endpoint: those whose answer is not there yet, and answers that were sent and wait to be read.

/** The connection of every message over HTTP, for observers. */
export const OVER_HTTP: Network = { transport: 'tcp', protocol: 'http' };

/** The exchanges whose answer is not there yet. */
export class RunningExchanges {
  readonly #open = new Set<{ readonly running: RunningCalls; readonly done: Promise<unknown> }>();
  #closedBy: Error | undefined;

  /** Whether an exchange is running. */
  get areRunning(): boolean {
    return this.#open.size > 0;
  }

  /** Why everything was cancelled; undefined if it was not. */
  get closedBy(): Error | undefined {
    return this.#closedBy;
  }

  /**
   * An exchange has begun.
   * @param done settles with its answer
   * @returns what ends it
   */
  begin(running: RunningCalls, done: Promise<unknown>): () => void {
    const exchange = { running, done };
    this.#open.add(exchange);
    return () => this.#open.delete(exchange);
  }

  /** Resolves when no exchange is running, including exchanges that start meanwhile. */
  async drain(): Promise<void> {
    while (this.areRunning) await Promise.allSettled([...this.#open].map(({ done }) => done));
  }

  /** Cancels everything that is still running. */
  cancelAll(reason: Error): void {
    this.#closedBy = reason;
    for (const { running } of this.#open) running.cancelAll(() => reason);
  }
}

/** A response that waits. */
interface PendingResponse {
  readonly call: HttpCall;
  readonly client: string;
  readonly giveBack: () => void;
}

/** Counts the bytes that wait in the responses of one endpoint: they take memory, so clients with too many of them receive no more. */
export class UnreadAnswers {
  readonly #waiting = new Budget<Reader>();
  /** The same bytes by client, which may have many connections. */
  readonly #clients = new Budget<string>();
  /** The responses that wait, the longest waiting first. */
  readonly #held = new Set<PendingResponse>();

  /** Ends the count of what waits, when nothing waits any more. */
  readonly stopCounting: () => void;

  constructor(
    private readonly limits: Pick<ResolvedEndpointLimits, 'unread' | 'unreadPerClient'>,
    private readonly account: Account,
  ) {
    this.stopCounting = account.meter('unread', () => this.size);
  }

  /** The bytes that wait, for all clients. */
  get size(): number {
    return this.#waiting.all;
  }

  /**
   * Counts the rest of a response, until it is sent or its client has disconnected. If too much waits, responses of the client with most of
   * them are aborted, the longest waiting first.
   * @param bytes that wait now
   */
  hold(call: HttpCall, bytes: number): void {
    if (bytes === 0) return;
    const waiting = this.#add(call, bytes);
    call.request.onClosed(waiting.giveBack);
    while (this.#waiting.all > this.limits.unread || this.account.isExceeded) {
      const worst = this.#worstBut(waiting);
      if (!worst) return;
      worst.call.abortedBy = 'limits.unread';
      // Its connection closes later, and no more than needed is to be aborted until then.
      worst.giveBack();
      worst.call.request.abort();
    }
  }

  #add(call: HttpCall, bytes: number): PendingResponse {
    const client = clientOf(call, this.account);
    const ends = [this.#waiting.take(readerOf(call), bytes), this.#clients.take(client, bytes)];
    const giveBack = (): void => {
      this.#held.delete(waiting);
      ends.forEach((end) => end());
    };
    const waiting: PendingResponse = { call, client, giveBack };
    this.#held.add(waiting);
    return waiting;
  }

  /** The longest waiting response of the client with the most bytes, except the newest response of all. */
  #worstBut(newest: PendingResponse): PendingResponse | undefined {
    let worst: PendingResponse | undefined;
    for (const each of this.#held)
      if (each !== newest && this.#clients.of(each.client) > this.#clients.of(worst?.client ?? '')) worst = each;
    return worst;
  }

  /** Refuses with 503 a client that does not read its answers. */
  check(call: HttpCall): void {
    const { unreadPerClient } = this.limits;
    if (this.#waiting.all > unreadPerClient && this.#waiting.of(readerOf(call)) > unreadPerClient)
      throw busy(
        `More than ${unreadPerClient} bytes of answers wait for you to read them (limits.unreadPerClient).`,
        'limits.unreadPerClient',
      );
  }

  /**
   * Resolves when everything that waits now was sent, or its client has disconnected. Node treats a connection as idle as soon as its
   * response was ended, and would close it before all bytes are sent.
   * @param patience milliseconds after which it resolves anyway
   */
  async sent(patience: number): Promise<void> {
    const ends = [...this.#held].map(
      ({ call: { request } }) => new Promise<void>((resolve) => void request.onClosed(resolve)),
    );
    await settleWithin(patience, Promise.all(ends));
  }
}

/** A principal, else a session, else a connection: other clients behind the same address may read their answers. */
type Reader = string | object;

function readerOf({ caller: { principal }, request }: HttpCall): Reader {
  if (principal !== undefined) return `principal ${principal}`;
  const session = request.headers['mcp-session-id'];
  return typeof session === 'string' ? `session ${session}` : request.connection;
}
