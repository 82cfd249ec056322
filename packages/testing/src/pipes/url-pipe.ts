/** The pipe to a Streamable HTTP endpoint: a POST for each message, a GET for messages that the server sends on its own. */
import { setTimeout as delay } from 'node:timers/promises';
import { sigilError } from '@sigil-mcp/core/adapter';
import { parseMessage, type JsonObject, type RequestId } from '@sigil-mcp/protocol';
import type { HttpManners } from '../conversations/http-manners';
import { objectOf, readJson } from '../json';
import { RpcError } from '../rpc-error';
import { MirroredArguments } from './mirrored-arguments';
import type { OpenPipe, Pipe, PipeUser } from './pipe';
import { readEvents } from './read-events';
import { testingError } from '../errors';

const SESSION = 'mcp-session-id';
/** The statuses of a server without a stream for GET, or without DELETE. */
const WITHOUT = [404, 405];

/** Calls the URL as a client of a revision does. The given headers go with every request and replace others of the same name. */
export function urlPipe(url: string, manners: HttpManners, headers: Readonly<Record<string, string>>): OpenPipe {
  return (user) => new UrlPipe(url, manners, headers, user);
}

class UrlPipe implements Pipe {
  readonly #closing = new AbortController();
  readonly #exchanges = new Map<RequestId, AbortController>();
  readonly #mirrored = new MirroredArguments();
  #session: Readonly<Record<string, string>> = {};
  /** Resolves when all notifications and answers have arrived: later messages must not overtake them. */
  #arrived: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly manners: HttpManners,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly user: PipeUser,
  ) {}

  send(text: string): Promise<void> {
    const message = readObject(text);
    const id = 'method' in message ? requestId(message) : undefined;
    const abort = new AbortController();
    // Now, so that the request can be closed before it was sent.
    if (id !== undefined) this.#exchanges.set(id, abort);
    const sent = this.#arrived.then(() =>
      id === undefined ? this.#deliver(text, message) : this.#ask({ text, message, id }, abort.signal),
    );
    // A request that is answered late must not delay the answers to questions of the server.
    if (!holdsRequests(text)) this.#arrived = sent.catch(() => undefined);
    return sent;
  }

  async listen(): Promise<void> {
    if (!this.manners.rules.getStream) return;
    const response = await this.#get({}, this.#closing.signal);
    if (WITHOUT.includes(response.status)) return void (await response.body?.cancel());
    if (!response.ok) throw await this.#refusal('GET', response);
    void this.#follow(response).catch((error: unknown) => this.#failUnlessClosed(error));
  }

  hangUp(id: RequestId): void {
    this.#exchanges.get(id)?.abort();
  }

  async close(): Promise<void> {
    if (SESSION in this.#session) await this.#endSession();
    this.#closing.abort();
  }

  /** Sends a request, and reads until it is answered. */
  async #ask({ text, message, id }: OutgoingRequest, hungUp: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([hungUp, this.#closing.signal]);
    try {
      const response = await this.#post(text, message, signal);
      if (message['method'] === this.manners.opening) this.#takeSession(response);
      await this.#readAnswer(response, message, signal);
      if (this.user.waitsFor(id)) this.user.fail(this.#unanswered(message, response), id);
    } catch (error) {
      // If the caller hung up, its request has failed already. All other failures are reported.
      if (!signal.aborted) this.user.fail(asError(error), id);
    } finally {
      this.#exchanges.delete(id);
    }
  }

  /** Sends a message that gets no answer. */
  async #deliver(text: string, message: JsonObject): Promise<void> {
    const response = await this.#post(text, message, this.#closing.signal);
    await this.#readAnswer(response, message, this.#closing.signal);
  }

  /** Reads a response to its end. A stream that broke before its answer is resumed, if the revision has replay. */
  async #readAnswer(first: Response, message: JsonObject, signal: AbortSignal): Promise<void> {
    const id = requestId(message);
    let response = first;
    let last: StreamPosition | undefined;
    for (;;) {
      if (!isStream(response)) return this.#readBody(response, message);
      last = (await this.#readStream(response, message)) ?? last;
      if (id === undefined || !this.user.waitsFor(id) || !last || !this.manners.rules.replay) return;
      response = await this.#resume(last, signal);
    }
  }

  async #readBody(response: Response, message: JsonObject): Promise<void> {
    const text = await response.text();
    const answer = readObject(text);
    const isMessage = text.startsWith('[') || 'jsonrpc' in answer;
    if (isMessage) this.#receive(text, message);
    if (response.ok && (isMessage || text === '')) return;
    // An error without the id of the request belongs to it anyway.
    const error = errorOf(answer);
    if (!isMessage || !error) throw this.#refused('POST', response, text);
    const id = requestId(message);
    if (id !== undefined && this.user.waitsFor(id)) throw new RpcError(error);
  }

  /** @returns the position from which the stream can be resumed */
  async #readStream(response: Response, message: JsonObject): Promise<StreamPosition | undefined> {
    let last: string | undefined;
    let retry = 0;
    for await (const { id, data } of readEvents(response, (milliseconds) => (retry = milliseconds))) {
      if (data !== '') this.#receive(data, message);
      last = id ?? last;
    }
    return last === undefined ? undefined : { id: last, retry };
  }

  async #follow(first: Response): Promise<void> {
    let response = first;
    for (;;) {
      const last = await this.#readStream(response, {});
      if (!last || !this.manners.rules.replay) return;
      response = await this.#resume(last, this.#closing.signal);
    }
  }

  async #resume({ id, retry }: StreamPosition, signal: AbortSignal): Promise<Response> {
    await delay(retry, undefined, { signal });
    const response = await this.#get({ 'Last-Event-ID': id }, signal);
    if (!response.ok) throw await this.#refusal('GET', response);
    return response;
  }

  #receive(text: string, { method }: JsonObject): void {
    if (method === 'tools/list') {
      this.#mirrored.learn(objectOf(readObject(text)['result']));
    }
    this.user.receive(text);
  }

  #takeSession(response: Response): void {
    const id = response.headers.get(SESSION);
    if (id !== null && this.manners.rules.sessions) this.#session = { [SESSION]: id };
  }

  async #endSession(): Promise<void> {
    const headers = this.#dressed({ ...this.manners.plainHeaders, ...this.#session });
    // A server that is gone has ended its sessions, too.
    const response = await fetch(this.url, { method: 'DELETE', headers }).catch(() => undefined);
    await response?.body?.cancel();
    if (response && !response.ok && !WITHOUT.includes(response.status)) throw await this.#refusal('DELETE', response);
  }

  #post(text: string, message: JsonObject, signal: AbortSignal): Promise<Response> {
    const own = this.manners.headersOf(message, (tool, args) => this.#mirrored.headersOf(tool, args));
    const kinds = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    return this.#fetch({ method: 'POST', headers: { ...kinds, ...own, ...this.#session }, body: text, signal });
  }

  #get(extra: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const headers = { Accept: 'text/event-stream', ...this.manners.plainHeaders, ...this.#session, ...extra };
    return this.#fetch({ method: 'GET', headers, signal });
  }

  #dressed(headers: Readonly<Record<string, string>>): Headers {
    const all = new Headers(headers);
    for (const [name, value] of Object.entries(this.headers)) all.set(name, value);
    return all;
  }

  async #fetch({ headers, ...init }: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    try {
      return await fetch(this.url, { ...init, headers: this.#dressed(headers) });
    } catch (error) {
      // The network error is the cause of the error that fetch() throws.
      const { message, cause } = error as Error & { readonly cause?: Error };
      const words = { url: this.url, reason: cause?.message ?? message };
      throw testingError('SIGIL_TEST_UNREACHABLE', words, { cause: error });
    }
  }

  async #refusal(method: string, response: Response): Promise<Error> {
    const text = response.bodyUsed ? '' : await response.text();
    const error = errorOf(readObject(text));
    return error ? new RpcError(error) : this.#refused(method, response, text);
  }

  #refused(method: string, { status, headers }: Response, text: string): Error {
    const type = headers.get('content-type') ?? 'no content type';
    const body = JSON.stringify(text.slice(0, 300));
    return testingError('SIGIL_TEST_NO_MESSAGE', { url: this.url, method, status, type, body });
  }

  #unanswered({ method, id }: JsonObject, { status }: Response): Error {
    const request = { id: JSON.stringify(id), method: JSON.stringify(method) };
    return testingError('SIGIL_TEST_UNANSWERED', { url: this.url, ...request, status });
  }

  #failUnlessClosed(error: unknown): void {
    if (!this.#closing.signal.aborted) this.user.fail(asError(error));
  }
}

/** A request, and its text. */
interface OutgoingRequest {
  readonly text: string;
  readonly message: JsonObject;
  readonly id: RequestId;
}

/** The position at which a stream broke. */
interface StreamPosition {
  /** The id of the last event that arrived. */
  readonly id: string;
  /** Milliseconds to wait before the stream is resumed. */
  readonly retry: number;
}

function isStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('content-type') ?? '').startsWith('text/event-stream');
}

/** The object that a text holds; an empty one if it holds no object. */
function readObject(text: string): JsonObject {
  return objectOf(readJson(text));
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

function errorOf({ error }: JsonObject): ConstructorParameters<typeof RpcError>[0] | undefined {
  const members = objectOf(error);
  const { code, message } = members;
  const isError = typeof code === 'number' && typeof message === 'string';
  return isError ? { ...members, code, message } : undefined;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : sigilError('SIGIL_INTERNAL', { what: `${String(error)} was thrown` });
}
