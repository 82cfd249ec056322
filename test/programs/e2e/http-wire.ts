/** A raw client over Streamable HTTP: it fetches, and reads streams as they come. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '../../support/spawned-server';
import { ALONE_META, Transcript, type Message } from '../../support/transcript';
import { HttpApp } from './http-app';
import { readEvents } from './read-events';
import type { Wire } from './wire';

const BOTH = 'application/json, text/event-stream';
/** Where the specification finds what `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** One client of one app. */
export class HttpWire implements Wire {
  readonly #transcript = new Transcript();
  readonly #exchanges = new Map<number, { abort: AbortController; done: Promise<void> }>();
  #session: Record<string, string> = {};
  #nextId = 1;

  private constructor(private readonly app: HttpApp) {}

  /** Starts an app for this client alone. */
  static async open(app: string): Promise<HttpWire> {
    return new HttpWire(await HttpApp.start(app));
  }

  get messages(): readonly Message[] {
    return this.#transcript.messages;
  }

  start(method: string, params?: object): number {
    const id = this.#nextId++;
    const abort = new AbortController();
    const done = this.#exchange({ jsonrpc: '2.0', id, method, ...(params && { params }) }, abort.signal);
    this.#exchanges.set(id, { abort, done });
    done.catch(() => undefined); // whoever waits for it hears of it
    return id;
  }

  async request(method: string, params?: object): Promise<Message> {
    const id = this.start(method, params);
    await this.#exchanges.get(id)?.done;
    const answer = this.#transcript.answerTo(id);
    if (!answer) throw new Error(`There was no answer to ${method}: ${JSON.stringify(this.messages.slice(-5))}`);
    return answer;
  }

  requestAlone(method: string, params: object = {}): Promise<Message> {
    return this.request(method, { ...params, _meta: ALONE_META });
  }

  async initialize(protocolVersion: string): Promise<Message> {
    this.#session = {};
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: 'http-wire', version: '1' } };
    const answer = await this.request('initialize', hello);
    // Older revisions have no such header; their clients send none.
    if (protocolVersion >= '2025-06-18') this.#session['mcp-protocol-version'] = protocolVersion;
    await this.#notify('notifications/initialized');
    return answer;
  }

  /** A session is told; a request that stands alone is taken back by hanging up. */
  cancel(requestId: number): void {
    if (this.#session['mcp-session-id'] === undefined) this.#exchanges.get(requestId)?.abort.abort();
    else void this.#notify('notifications/cancelled', { requestId });
  }

  async end(): Promise<Exit> {
    this.app.kill('SIGTERM');
    return this.app.exit;
  }

  schemaErrors(): string[] {
    return this.#transcript.schemaErrors();
  }

  async #notify(method: string, params?: object): Promise<void> {
    const response = await this.#post({ jsonrpc: '2.0', method, ...(params && { params }) });
    expect([response.status, await response.text()]).toEqual([202, '']);
  }

  async #exchange(message: Message, signal: AbortSignal): Promise<void> {
    this.#transcript.sent(message);
    let response = await this.#post(message, signal);
    const session = response.headers.get('mcp-session-id');
    if (session !== null) this.#session['mcp-session-id'] = session;
    for (;;) {
      const rest = await this.#read(response);
      if (!rest || this.#transcript.answerTo(message['id'])) return;
      await delay(rest.retry, undefined, { signal });
      const headers = { accept: 'text/event-stream', ...this.#session, 'last-event-id': rest.id };
      response = await fetch(this.app.url, { headers, signal });
    }
  }

  /** @returns where a stream that broke off can be taken up again */
  async #read(response: Response): Promise<{ id: string; retry: number } | undefined> {
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('application/json')) {
      for (const message of [JSON.parse(await response.text()) as Message].flat()) this.#transcript.received(message);
    }
    if (!type.startsWith('text/event-stream')) return undefined;
    let last: { id: string; retry: number } | undefined;
    for await (const { id, data, retry } of readEvents(response)) {
      if (data !== '') this.#transcript.received(JSON.parse(data) as Message);
      if (id !== undefined) last = { id, retry: retry ?? last?.retry ?? 0 };
    }
    return last;
  }

  #post(message: Message, signal?: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json', accept: BOTH, ...this.#headersOf(message) };
    const init = { method: 'POST', headers, body: JSON.stringify(message) };
    return fetch(this.app.url, { ...init, ...(signal && { signal }) });
  }

  #headersOf({ method, params }: Message): Record<string, string> {
    const { _meta: meta, ...rest } = (params ?? {}) as Record<string, unknown>;
    const version = (meta as Record<string, string> | undefined)?.['io.modelcontextprotocol/protocolVersion'];
    if (version === undefined) return this.#session;
    const name = rest[NAMED[String(method)] ?? ''];
    const mirrored = (rest['arguments'] as { region?: string } | undefined)?.region;
    return {
      'mcp-protocol-version': version,
      'mcp-method': String(method),
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...(mirrored !== undefined && { 'mcp-param-region': mirrored }),
    };
  }
}
