/** Holds a port: requests wait while the server is replaced, and sessions continue with the next server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sigilError, systemClock, type Clock } from '@sigil-mcp/core/adapter';
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';
import { failure, reasonOf } from '../failure';
import { mention } from '../terminal/mention';
import { ChildServer, describeEnd, type ChildEnd, type ChildOptions } from './child-server';
import { freePort, isListening } from './free-port';
import { HeldExchange } from './held-exchange';
import type { Holder, Successor } from './holder';
import type { HttpSession } from './http-session';
import { HttpSessions } from './http-sessions';
import { cancelledId, isResponse, readShapes, rewriteEach, takeOut, type MessageShape } from './message-shape';
import { MOST_BODY, readWhole } from './read-whole';
import { restartError } from './restart-error';
import { innerEventId } from './rewrite-events';
import { Upstream, type UpstreamRequest } from './upstream';

/** The port, and the server behind it. */
export interface HttpHolderOptions {
  readonly port: number;
  readonly host: string;
  readonly child: Omit<ChildOptions, 'program' | 'speaks' | 'clock'>;
  /** Called when the server ended unexpectedly. */
  readonly onDeath: (end: ChildEnd) => void;
  /** Milliseconds after which a restart drops an unused session. */
  readonly idle?: number;
  /** Measures how long requests have waited; the system clock if left out. */
  readonly clock?: Clock;
}

/** Milliseconds for a server to start listening. */
const STARTING = 30_000;
const IDLE = 30 * 60_000;

/** The clients of one port. */
export class HttpHolder implements Holder {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #sessions: HttpSessions;
  readonly #exchanges = new Set<HeldExchange>();
  readonly #waiting = new Set<() => void>();
  #isHolding = true;
  #isClosed = false;
  #refusal: string | undefined;
  #child: ChildServer | undefined;
  /** The server that is ending. */
  #leaving: ChildServer | undefined;
  #upstream: Upstream | undefined;
  #generation = 0;

  constructor(private readonly options: HttpHolderOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#sessions = new HttpSessions(this.#clock);
    this.#server = createServer((request, response) => {
      response.on('error', () => undefined); // the client has disconnected
      // If a request cannot be read, its connection is closed without an answer.
      this.#take(request, response).catch(() => response.destroy());
    });
    // Streams last, and a server that is being debugged is slow.
    this.#server.requestTimeout = 0;
  }

  /** @throws CliFailure if the port is taken */
  async listen(): Promise<void> {
    const { port, host } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, resolve);
    }).catch((error: unknown) => {
      throw failure('SIGIL_DEV_PORT', { port, reason: reasonOf(error) });
    });
    this.#server.on('error', mention);
  }

  hold(): void {
    this.#refusal = undefined;
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }

  async drain(patience: number, why: string): Promise<void> {
    const deadline = this.#clock.elapsed() + patience;
    const unfinished = (): HeldExchange[] => [...this.#exchanges].filter(({ isUnfinished }) => isUnfinished);
    const isOver = (): boolean => this.#isClosed || (unfinished().length === 0 && !this.#hasDetached());
    while (!isOver() && this.#clock.elapsed() < deadline) await pause(10);
    for (const exchange of unfinished()) exchange.fail(why);
    for (const session of this.#sessions.all) {
      session.lost.push(...[...session.detached].map((id) => restartError(id, why)));
      session.detached.clear();
    }
  }

  async attach(program: string): Promise<Successor> {
    const port = await freePort();
    if (this.#isClosed) throw sigilError('SIGIL_DEV_CLOSED');
    const { args, environment } = this.options.child;
    const child = new ChildServer(
      {
        program,
        args,
        environment: { ...environment, PORT: String(port), HOST: '127.0.0.1' },
        speaks: false,
        clock: this.#clock,
      },
      () => undefined,
    );
    this.#child = child;
    await waitForPort(port, child);
    child.ended.then((end) => this.#child === child && this.#died(end)).catch(mention);
    this.#upstream = new Upstream(port);
    this.#generation += 1;
    const remarks = await this.#renewSessions(this.#upstream);
    for (const exchange of this.#exchanges) if (exchange.isLasting) exchange.send(this.#upstream, this.#generation);
    return { remarks };
  }

  async detach(patience: number): Promise<void> {
    this.#leaving = this.#child ?? this.#leaving;
    this.#child = undefined;
    this.#leave();
    await this.#leaving?.stop(patience);
  }

  refuse(why: string): void {
    this.#refusal = why;
    this.release();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server.close();
    this.#server.closeAllConnections();
    await this.detach(0);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await readWhole(request);
    if (content === undefined) return; // the client disconnected before the end of its request
    if (content === 'too large') return refuseBody(response);
    const held = this.#isHolding ? this.#passAhead(request, content) : undefined;
    if (held === undefined) return this.#start(request, response, content);
    const go = (): void => this.#start(request, response, held);
    this.#waiting.add(go);
    response.on('close', () => this.#waiting.delete(go));
  }

  /** Passes on messages that belong to running calls, which must not wait. @returns the rest, which waits; undefined if empty */
  #passAhead({ method, url = '/', headers }: IncomingMessage, content: Buffer): Buffer | undefined {
    const session = this.#sessions.find(headers);
    if (method !== 'POST' || !session) return content;
    const { taken, rest } = takeOut(content.toString('utf8'), (message) => {
      const id = cancelledId(message);
      return isResponse(message) || (id !== undefined && this.#isRunning(session, id));
    });
    if (taken.length === 0) return content;
    if (rest === undefined) return undefined;
    const body = answersOf(taken, session, Buffer.from(JSON.stringify(taken)));
    const sent = { method, url, headers: { ...headers, 'mcp-session-id': session.inner }, body };
    if (body) this.#upstream?.ask(sent).catch(() => undefined); // the server has ended, so nothing waits for the answer
    return Buffer.from(rest);
  }

  #start({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse, content: Buffer): void {
    if (response.destroyed) return; // the client has disconnected
    const session = this.#sessions.find(headers);
    const read = method === 'POST' ? readShapes(content.toString('utf8')) : [];
    const body = session ? answersOf(read, session, content) : content;
    // It answers a question of a server that has ended.
    if (body === undefined) return void response.writeHead(202).end();
    if (session) this.#noteCancelled(session, read);
    const request = { method, url, headers, body: method === 'GET' ? undefined : body };
    const exchange: HeldExchange = new HeldExchange({
      request: session ? this.#resumption(request) : request,
      response,
      session,
      messages: read,
      onAnswer: (text, head) => this.#sessions.learn({ read, session, request, text, head }),
      onEnd: () => {
        this.#exchanges.delete(exchange);
        if (session) session.usedAt = this.#clock.elapsed();
      },
    });
    this.#exchanges.add(exchange);
    if (this.#refusal !== undefined || !this.#upstream)
      exchange.fail(this.#refusal ?? 'There is no server at the moment.');
    else this.#send(exchange, session, method);
  }

  #send(exchange: HeldExchange, session: HttpSession | undefined, method: string): void {
    if (!this.#upstream) return;
    exchange.send(this.#upstream, this.#generation);
    if (method !== 'GET' || !session?.lost.length) return;
    // A client that reconnects for a lost answer receives an error, as soon as there is a stream.
    const lost = session.lost.splice(0);
    const tell = (): void => {
      if (this.#exchanges.has(exchange) && !exchange.say(lost[0] ?? '')) setTimeout(tell, 20).unref();
      else for (const error of lost.slice(1)) exchange.say(error);
    };
    tell();
  }

  /** The request to resume a stream, for the current server: it cannot resume from an event of another server. */
  #resumption(request: UpstreamRequest): UpstreamRequest {
    const { 'last-event-id': last, ...headers } = request.headers;
    if (typeof last !== 'string') return request;
    const inner = innerEventId(last, this.#generation);
    return { ...request, headers: inner === undefined ? headers : { ...headers, 'last-event-id': inner } };
  }

  #isRunning(session: HttpSession, id: RequestId): boolean {
    const isOf = (exchange: HeldExchange): boolean => exchange.session === session && exchange.unanswered.has(id);
    return session.detached.has(id) || [...this.#exchanges].some(isOf);
  }

  /** Forgets requests that a client cancelled: it no longer waits for their answers. */
  #noteCancelled(session: HttpSession, messages: readonly MessageShape[]): void {
    for (const id of messages.map(cancelledId)) {
      if (id === undefined) continue;
      session.detached.delete(id);
      for (const exchange of this.#exchanges) if (exchange.session === session) exchange.unanswered.delete(id);
    }
  }

  async #renewSessions(upstream: Upstream): Promise<readonly string[]> {
    const exchanges = [...this.#exchanges];
    const { idle = IDLE } = this.options;
    this.#sessions.forget(
      (session) =>
        this.#clock.elapsed() - session.usedAt > idle && exchanges.every((exchange) => exchange.session !== session),
    );
    const renewing = this.#sessions.all.map((session) => {
      const stream = exchanges.find((exchange) => exchange.session === session && exchange.isLasting);
      return this.#sessions.renew(session, upstream, (text) => stream?.say(text));
    });
    return [...new Set((await Promise.all(renewing)).flat())];
  }

  #died(end: ChildEnd): void {
    this.#child = undefined;
    this.#leave();
    this.options.onDeath(end);
  }

  #leave(): void {
    this.#upstream = undefined;
    for (const exchange of this.#exchanges) if (exchange.isLasting) exchange.abandon();
    for (const { questions } of this.#sessions.all) questions.forget();
  }

  #hasDetached(): boolean {
    return this.#sessions.all.some(({ detached }) => detached.size > 0);
  }
}

/** The body with the server's own ids in the answers of the client; undefined if no answer is expected. */
function answersOf(messages: readonly MessageShape[], { questions }: HttpSession, body: Buffer): Buffer | undefined {
  if (!messages.some(isResponse)) return body;
  const [text] = rewriteEach(body.toString('utf8'), (message, own) => {
    if (!isResponse(message)) return [own];
    const restored = questions.restore(message);
    return restored === undefined ? [] : [restored];
  });
  return text === undefined ? undefined : Buffer.from(text);
}

async function waitForPort(port: number, child: ChildServer): Promise<void> {
  const deadline = Date.now() + STARTING;
  while (!(await isListening(port))) {
    if (child.hasEnded) throw sigilError('SIGIL_DEV_NOT_HTTP', { how: describeEnd(await child.ended) });
    if (Date.now() > deadline) throw sigilError('SIGIL_DEV_OTHER_PORT', { port });
    await pause(30);
  }
}

/** 413; the rest of the body is not read. */
function refuseBody(response: ServerResponse): void {
  const message = `The body is larger than ${MOST_BODY} bytes.`;
  const text = writeError(undefined, { code: ERROR_CODES['invalid-request'], message });
  response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
  response.end(text, () => response.destroy());
}
