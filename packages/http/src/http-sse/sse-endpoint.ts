/**
 * The HTTP+SSE transport of the oldest revision: a GET opens the stream, whose first event is the URI for POST; answers are sent on
 * the stream. The version is negotiated as on other pipes.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
import { randomBytes } from 'node:crypto';
import { DuplexChannel, endedCall, type Caller, type Kernel, type MaybePromise } from '@sigil-mcp/core/adapter';
import { WEIGHTS, andThen, unawaited, readAddress } from '@sigil-mcp/core/internal';
import { checkStreamAccepted } from '../checks/head-checks';
import { accepted, busy, clientOf, queryOf, refusal, streamed, type HttpCall } from '../call';
import { OVER_HTTP } from '../endpoint-services';
import type { HttpResponse } from '../port';
import type { EventStream } from '../streams/event-stream';
import { orGiveBack, type EventStreams } from '../streams/event-streams';
import { readText } from '../body/body-reader';
import type { ForwardedMessages, TakeForwarded } from './forwarded-messages';

/** The options and services of the endpoint. */
export interface SseEndpointInit {
  readonly kernel: Kernel;
  /** The path for POST, as clients know it. */
  readonly publicPath: string;
  readonly streams: EventStreams;
  /** Makes the way to the streams of other instances, with a handler for messages that they forward. */
  readonly forward: (take: TakeForwarded) => ForwardedMessages;
  /** Bytes that may wait on a stream: with more than half of it a client has to read first, and with all of it it is disconnected. */
  readonly unreadPerClient: number;
}

/** A client: its stream, and the pipe behind it. */
interface SseClient {
  readonly channel: DuplexChannel;
  readonly stream: EventStream;
  /** The owner; no other caller may use it. Undefined without authentication. */
  readonly principal: string | undefined;
  /** Keeps the session from ending with its last token. */
  stay: () => void;
  /** Whether no more messages are accepted. */
  isOver: boolean;
}

/** Serves the two paths. A session lives as long as its stream. */
export class SseEndpoint {
  readonly #clients = new Map<string, SseClient>();

  readonly #forwarded: ForwardedMessages;

  constructor(private readonly init: SseEndpointInit) {
    this.#forwarded = init.forward((id, text, caller) => {
      const client = this.#find(id, caller);
      if (client) this.#take(client, text, caller);
    });
  }

  /** Opens a session, and sends its client the URI for POST. Refuses with 503 if too many are open. */
  get(call: HttpCall): MaybePromise<HttpResponse> {
    const { request, caller } = call;
    checkStreamAccepted(request);
    this.init.streams.checkRoom(clientOf(call, this.init.kernel.context.account));
    const id = randomBytes(24).toString('base64url');
    return andThen(this.#forwarded.opened(id, caller.principal), () => this.#open(id, call));
  }

  #open(id: string, call: HttpCall): HttpResponse {
    const { request, caller } = call;
    const client = clientOf(call, this.init.kernel.context.account);
    const load = this.init.kernel.context.account.loadOf(client);
    let giveBack: () => void;
    try {
      // Other streams may have been opened while this one was being stored.
      this.init.streams.checkRoom(client);
      giveBack = this.init.kernel.context.account.take(load, 'streams', WEIGHTS.stream);
    } catch (error) {
      this.#forwarded.closed(id);
      throw error;
    }
    const stream = orGiveBack(
      () => {
        giveBack();
        this.#forwarded.closed(id);
      },
      () => this.init.streams.open({ call, kind: 'sse' }),
    );
    stream.onClose(giveBack);
    const write = (text: string): void | Promise<void> => this.#write(stream, text, call);
    const address = readAddress(request.address);
    const access = { headers: call.visibleHeaders, caller, address, network: OVER_HTTP, sessionId: id };
    const channel = new DuplexChannel(this.init.kernel, write, access, load);
    const opened: SseClient = { channel, stream, principal: caller.principal, stay: () => undefined, isOver: false };
    this.#clients.set(id, opened);
    this.#expire(opened, caller);
    stream.onClose(() => {
      opened.stay();
      this.#clients.delete(id);
      this.#forwarded.closed(id);
      channel.close(endedCall('SIGIL_CLIENT_GONE'));
    });
    unawaited(stream.send({ event: 'endpoint', data: `${this.init.publicPath}?sessionId=${id}` }));
    return streamed(stream);
  }

  /** Sends a message. All answers use this stream, so unread bytes add up. */
  #write(stream: EventStream, text: string, call: HttpCall): void | Promise<void> {
    const { unread } = stream;
    const room = stream.send({ event: 'message', data: text });
    if (unread > this.init.unreadPerClient) {
      call.abortedBy = 'limits.unreadPerClient';
      stream.destroy('limit');
    }
    return room;
  }

  /**
   * Accepts a message, whose answers go to the stream. Refuses with 400 without a session, with 404 for one
   * that has ended or belongs to another caller, with 503 a client that does not read.
   */
  post(call: HttpCall): MaybePromise<HttpResponse> {
    const { request, body, caller } = call;
    const [sessionId, ...others] = queryOf(request.target).getAll('sessionId');
    if (sessionId === undefined || others.length > 0)
      throw refusal(400, 'The sessionId is missing: POST to the URI of the endpoint event.');
    const client = this.#find(sessionId, caller);
    if (!client) return this.#forward(sessionId, call);
    const { unreadPerClient } = this.init;
    if (client.stream.unread > unreadPerClient / 2)
      throw busy(
        `More than ${unreadPerClient / 2} bytes wait on the stream for you to read them (limits.unreadPerClient).`,
        'limits.unreadPerClient',
      );
    this.#take(client, readText(body), caller);
    return accepted(call);
  }

  /** The client of a session; undefined if it has ended, or belongs to another caller or another instance. */
  #find(id: string, caller: Caller): SseClient | undefined {
    const client = this.#clients.get(id);
    return !client || client.isOver || client.principal !== caller.principal ? undefined : client;
  }

  #forward(id: string, call: HttpCall): MaybePromise<HttpResponse> {
    const forwarded = this.#clients.has(id) ? false : this.#forwarded.forward(id, readText(call.body), call.caller);
    return andThen(forwarded, (isTaken) => {
      if (!isTaken) throw refusal(404, 'The session has ended or does not exist. Open another stream.');
      return accepted(call);
    });
  }

  #take(client: SseClient, text: string, caller: Caller): void {
    // The same principal, perhaps with another token and other rights.
    client.channel.renew(caller);
    this.#expire(client, caller);
    client.channel.receive(text);
  }

  /**
   * Ends the session with its token, or with a later token that replaces it: no more messages are accepted, and the stream ends when all
   * running calls are answered.
   */
  #expire(client: SseClient, { expiresAt }: HttpCall['caller']): void {
    client.stay();
    client.stay = this.init.kernel.context.expiries.add(expiresAt, () => {
      client.isOver = true;
      client.channel.hangUp(endedCall('SIGIL_TOKEN_EXPIRED'));
      unawaited(client.channel.drain().then(() => client.stream.end('token-expired')));
    });
  }

  /** Resolves when all received messages are answered. */
  async drain(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ channel }) => channel.drain()));
  }

  /** Cancels running calls and ends the streams. */
  close(reason: Error): void {
    this.#forwarded.close();
    for (const { channel, stream } of this.#clients.values()) {
      channel.close(reason);
      stream.end('shutdown');
    }
    this.#clients.clear();
  }
}
