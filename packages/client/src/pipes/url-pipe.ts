/** The pipe to a Streamable HTTP endpoint: a POST for each message, a GET for messages that the server sends on its own. */
import { parseMessage, type JsonObject, type RequestId } from '@sigil-mcp/protocol';
import type { HttpProfile } from '../conversations/http-profile';
import { clientError } from '../errors';
import { settleWithin, SigilError } from '@sigil-mcp/base';
import { objectOf, readJson } from '../json';
import { errorOf, RpcError } from '../rpc-error';
import { HttpEndpoint, type HttpPipeOptions } from './http-endpoint';
import { HttpError, refusalOf } from './http-error';
import { MirroredArguments } from './mirrored-arguments';
import { LONGEST_DELAY, type OpenPipe, type Pipe, type PipeUser } from './pipe';
import { readEvents } from './sse-pipe';
import { readText } from './read-text';
import { statusOf } from '../response-status';
import { Resumption } from './resumption';

const SESSION = 'mcp-session-id';
/** The statuses of a server without a stream for GET, or without DELETE. */
const WITHOUT = [404, 405];
/** Milliseconds that the end of a session may take. */
const LAST_REQUEST = 2000;

/** Calls the URL as a client of a revision does; `follow` says which one. */
export function urlPipe(url: string, options: HttpPipeOptions = {}): OpenPipe {
  return (user) => new UrlPipe(new HttpEndpoint(url, options), user);
}

class UrlPipe implements Pipe {
  readonly #closing = new AbortController();
  readonly #exchanges = new Map<RequestId, AbortController>();
  readonly #mirrored = new MirroredArguments();
  #profile: HttpProfile | undefined;
  #session: Readonly<Record<string, string>> = {};
  /** Resolves when all notifications and answers have arrived: later messages must not overtake them. */
  #arrived: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly endpoint: HttpEndpoint,
    private readonly user: PipeUser,
  ) {}

  follow(profile: HttpProfile): void {
    this.#profile = profile;
  }

  send(text: string): Promise<void> {
    const message = objectOf(readJson(text));
    const id = 'method' in message ? requestId(message) : undefined;
    if (id === undefined) return this.#deliver(text, message);
    const abort = new AbortController();
    // Now, so that the request can be closed before it was sent.
    this.#exchanges.set(id, abort);
    return this.#arrived.then(() => this.#ask({ text, message, id }, abort.signal));
  }

  async listen(): Promise<void> {
    if (!this.#profile?.rules.getStream) return;
    const response = await this.#get({}, this.#closing.signal);
    if (WITHOUT.includes(response.status) && !this.#isLost(response)) return void (await response.body?.cancel());
    if (!response.ok || !isStream(response)) throw await this.#refusal('GET', response);
    this.#keepListening(response).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.user.fault(asError(error));
    });
  }

  hangUp(id: RequestId): void {
    this.#exchanges.get(id)?.abort();
  }

  async close(): Promise<void> {
    try {
      if (SESSION in this.#session) await this.#endSession();
    } finally {
      this.#closing.abort();
    }
  }

  /** Sends a request, and reads until it is answered. */
  async #ask({ text, message, id }: OutgoingRequest, hungUp: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([hungUp, this.#closing.signal]);
    try {
      const response = await this.#post(text, message, signal);
      if (message['method'] === this.#profile?.opening) this.#takeSession(response);
      const cause = await this.#readAnswer(response, message, signal);
      if (this.user.waitsFor(id)) this.user.fail(this.#unanswered(message, response, cause), id);
    } catch (error) {
      // If the caller hung up, its request has failed already. All other failures are reported.
      if (!signal.aborted) this.user.fail(asError(error), id);
    } finally {
      this.#exchanges.delete(id);
    }
  }

  /** Sends a message that gets no answer, or a batch. Resolves when the server has taken it. */
  async #deliver(text: string, message: JsonObject): Promise<void> {
    const { signal } = this.#closing;
    const posted = this.#arrived.then(() => this.#post(text, message, signal));
    // A request that is answered late must not delay the answers to questions of the server.
    if (!holdsRequests(text)) this.#arrived = settleWithin(LONGEST_DELAY, posted, this.endpoint.clock);
    const response = await posted;
    const read = this.#readAnswer(response, message, signal);
    if (!isStream(response)) return void (await read);
    read.catch((error: unknown) => {
      if (!signal.aborted) this.user.fault(asError(error));
    });
  }

  /**
   * Reads a response to its end. A stream that broke before its answer is resumed, if the revision has replay.
   * @returns why a stream broke, if it broke and was not resumed
   */
  async #readAnswer(first: Response, message: JsonObject, signal: AbortSignal): Promise<unknown> {
    const id = requestId(message);
    const resumption = new Resumption(this.endpoint.clock);
    let response = first;
    for (;;) {
      if (!isStream(response)) return this.#readBody(response, message);
      const broken = await this.#readStream(response, message, resumption);
      signal.throwIfAborted();
      const isOver = id === undefined || !this.user.waitsFor(id);
      if (isOver || resumption.lastId === undefined || !this.#profile?.rules.replay) return broken;
      response = await this.#reopen(resumption, signal);
    }
  }

  async #readBody(response: Response, message: JsonObject): Promise<void> {
    if (this.#isLost(response)) throw await this.#refusal('POST', response);
    const text = await this.#textOf(response);
    const answer = objectOf(readJson(text));
    const isMessage = text.startsWith('[') || 'jsonrpc' in answer;
    if (isMessage) this.#receive(text, message, response);
    if (response.ok && (isMessage || text === '')) return;
    // An error without the id of the request belongs to it anyway.
    const error = errorOf(answer);
    if (!isMessage || !error) throw new HttpError(this.endpoint.url, 'POST', { response, text });
    const id = requestId(message);
    if (id !== undefined && this.user.waitsFor(id)) throw new RpcError(error, statusOf(response));
  }

  /** The body of a response, which the network may break off. */
  async #textOf(response: Response): Promise<string> {
    try {
      return await readText(response);
    } catch (error) {
      if (error instanceof SigilError || this.#closing.signal.aborted) throw error;
      const { url } = this.endpoint;
      throw clientError('SIGIL_CLIENT_UNREACHABLE', { url, reason: asError(error).message }, { cause: error });
    }
  }

  /** @returns the error with which the stream broke; undefined if it ended */
  async #readStream(response: Response, message: JsonObject, resumption: Resumption): Promise<unknown> {
    const events = readEvents(response, (milliseconds) => (resumption.retry = milliseconds))[Symbol.asyncIterator]();
    for (;;) {
      // What the network does is caught, what the client does with a message is not.
      const next = await events.next().catch((error: unknown) => ({ done: true, value: error }) as const);
      // A message that is too long is just as long the next time.
      if (next.done && next.value instanceof SigilError) throw next.value;
      if (next.done) return next.value;
      const { id, data } = next.value;
      resumption.arrived(id);
      if (data !== '') this.#receive(data, message);
    }
  }

  async #keepListening(first: Response): Promise<void> {
    const resumption = new Resumption(this.endpoint.clock);
    let response = first;
    for (;;) {
      await this.#readStream(response, {}, resumption);
      this.#closing.signal.throwIfAborted();
      response = await this.#reopen(resumption, this.#closing.signal);
    }
  }

  /** Opens a stream again where it broke; several times, if the server is away. */
  async #reopen(resumption: Resumption, signal: AbortSignal): Promise<Response> {
    const { lastId } = resumption;
    const isResumed = lastId !== undefined && this.#profile?.rules.replay === true;
    for (;;) {
      await resumption.pause(signal);
      try {
        const response = await this.#get(isResumed ? { 'Last-Event-ID': lastId } : {}, signal);
        if (response.ok && isStream(response)) {
          resumption.opened();
          return response;
        }
        if (response.status < 500 || !resumption.failed()) throw await this.#refusal('GET', response);
        await response.body?.cancel();
      } catch (error) {
        const isAway = error instanceof Error && 'code' in error && error.code === 'SIGIL_CLIENT_UNREACHABLE';
        if (!isAway || signal.aborted || !resumption.failed()) throw error;
      }
    }
  }

  /** @param response in which the message came alone */
  #receive(text: string, { method }: JsonObject, response?: Response): void {
    if (method === 'tools/list') this.#mirrored.learn(objectOf(objectOf(readJson(text))['result']));
    this.user.receive(text, response && statusOf(response));
  }

  #takeSession(response: Response): void {
    const id = response.headers.get(SESSION);
    if (id !== null && this.#profile?.rules.sessions) this.#session = { [SESSION]: id };
  }

  async #endSession(): Promise<void> {
    const headers = { ...this.#profile?.plainHeaders, ...this.#session };
    const late = new AbortController();
    const timer = this.endpoint.clock.after(LAST_REQUEST, () => late.abort());
    try {
      // A server that is gone, or that hangs, keeps no one from closing.
      const response = await this.endpoint
        .fetch({ method: 'DELETE', headers, signal: late.signal })
        .catch(() => undefined);
      if (response && !response.ok && !WITHOUT.includes(response.status)) throw await this.#refusal('DELETE', response);
      await response?.body?.cancel();
    } catch (error) {
      if (!late.signal.aborted) throw error;
    } finally {
      timer.close();
    }
  }

  #post(text: string, message: JsonObject, signal: AbortSignal): Promise<Response> {
    const own = this.#profile?.headersOf(message, (tool, args) => this.#mirrored.headersOf(tool, args));
    const kinds = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    return this.endpoint.fetch({ method: 'POST', headers: { ...kinds, ...own, ...this.#session }, body: text, signal });
  }

  #get(extra: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const headers = { Accept: 'text/event-stream', ...this.#profile?.plainHeaders, ...this.#session, ...extra };
    return this.endpoint.fetch({ method: 'GET', headers, signal });
  }

  /** Whether the server no longer knows the session. */
  #isLost({ status }: Response): boolean {
    return status === 404 && SESSION in this.#session;
  }

  async #refusal(method: string, response: Response): Promise<Error> {
    const { url } = this.endpoint;
    const cause = await refusalOf(url, method, response);
    if (!this.#isLost(response) || method === 'DELETE') return cause;
    this.#session = {};
    const lost = clientError('SIGIL_CLIENT_SESSION_LOST', { url }, { cause });
    this.user.end(lost);
    return lost;
  }

  #unanswered({ method, id }: JsonObject, { status }: Response, cause: unknown): Error {
    const request = { id: JSON.stringify(id), method: JSON.stringify(method) };
    const words = { url: this.endpoint.url, ...request, status };
    return clientError('SIGIL_CLIENT_UNANSWERED', words, cause === undefined ? undefined : { cause });
  }
}

/** A request, and its text. */
interface OutgoingRequest {
  readonly text: string;
  readonly message: JsonObject;
  readonly id: RequestId;
}

function isStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('content-type') ?? '').startsWith('text/event-stream');
}

/** Whether a message, or one of a batch, is a request. */
function holdsRequests(text: string): boolean {
  const message = parseMessage(text);
  const messages = message.kind === 'batch' ? message.messages : [message];
  return messages.some(({ kind }) => kind === 'request');
}

function requestId({ id }: JsonObject): RequestId | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : clientError('SIGIL_CLIENT_FAULT', { reason: String(error) });
}
