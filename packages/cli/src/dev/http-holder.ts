/** Holds a port: requests wait while the server is replaced, and sessions continue with the next server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, type Clock } from '@sigil-mcp/core/adapter';
import { failure } from '../failure';
import { mention } from '../terminal/mention';
import { Children, failedStart } from './children';
import { describeEnd, type ChildServer, type ChildEnd } from './child-server';
import { explainPort } from './explain-port';
import { HeldExchange } from './held-exchange';
import { ENDING, type Handover, type Holder } from './holder';
import type { HttpHolderOptions } from './http-holder-options';
import { HttpInPlace, headOf, tapExchange } from './http-in-place';
import type { HttpSession } from './http-session';
import { HttpSessions } from './http-sessions';
import { cancelledId, isResponse, readShapes, takeOut } from './message-shape';
import { OpenExchanges } from './open-exchanges';
import { readWhole } from './read-whole';
import { answersOf, refuseBody } from './request-body';
import { resumptionOf } from './resumption';
import { restartError } from './restart-error';
import { Upstream } from './upstream';
import { waitForPort, freePort } from './wait-for-port';
import { commandError } from '../errors/errors';

const IDLE = 30 * 60_000;

/** The clients of one port. */
export class HttpHolder implements Holder {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #sessions: HttpSessions;
  readonly #inPlace: HttpInPlace;
  readonly #exchanges = new OpenExchanges();
  readonly #waiting = new Set<() => void>();
  #isHolding = true;
  #refusal: string | undefined;
  #child: ChildServer | undefined;
  readonly #children = new Children((child, end) => this.#noteEnd(child, end));
  readonly #upstreams = new WeakMap<ChildServer, Upstream>();
  /** The next server while the sessions are opened there. */
  #entering: ChildServer | undefined;
  #upstream: Upstream | undefined;
  #generation = 0;
  /** Counts the requests. */
  #count = 0;

  constructor(private readonly options: HttpHolderOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#inPlace = new HttpInPlace({
      watcher: options.questions,
      tap: options.tap,
      upstream: () => this.#upstream,
      number: () => (this.#count += 1),
      tell: (session, text) => this.#exchanges.tell(session, text),
    });
    this.#sessions = new HttpSessions(this.#clock, (session) => this.#inPlace.routeOf(session));
    this.#server = createServer((request, response) => {
      response.on('error', () => undefined); // the client has disconnected
      if (this.options.front?.(request, response)) return;
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
    }).catch(async (error: unknown) => {
      throw failure('SIGIL_DEV_PORT', { port, ...(await explainPort(error, port, host)) });
    });
    this.#server.on('error', mention);
  }

  /** The port on which it listens: another one than asked for, if that was any. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : this.options.port;
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

  async start(program: string): Promise<ChildServer> {
    const port = await freePort();
    const { child } = this.options;
    return this.#children.start({
      ...child,
      program,
      environment: { ...child.environment, PORT: String(port), HOST: '127.0.0.1' },
      speaks: false,
      clock: this.#clock,
      onLine: () => undefined,
      ready: async (child) => {
        await waitForPort(port, child);
        this.#upstreams.set(child, new Upstream(port));
      },
    });
  }

  async replace(next: ChildServer | undefined, { patience, why }: Handover): Promise<readonly string[]> {
    const last = this.#child;
    await this.#drain(patience);
    if (this.#children.isClosed) throw commandError('SIGIL_DEV_CLOSED');
    this.#refuseUnfinished(why);
    const upstream = next && this.#upstreams.get(next);
    const remarks = next && upstream ? await this.#takeOver(next, upstream) : [];
    if (!next) this.#leave();
    this.#child = next;
    this.#upstream = upstream;
    last?.stop(ENDING).catch(mention);
    if (!next) await this.#children.ended();
    return remarks;
  }

  refuse(why: string): void {
    this.#refusal = why;
    this.release();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#children.close();
  }

  async #drain(patience: number): Promise<void> {
    const deadline = this.#clock.elapsed() + patience;
    const isOver = (): boolean =>
      this.#children.isClosed || (this.#exchanges.unfinished.length === 0 && !this.#hasDetached());
    while (!isOver() && this.#clock.elapsed() < deadline) await pause(10);
  }

  /** Answers the calls that the last server has not finished. */
  #refuseUnfinished(why: string): void {
    for (const exchange of this.#exchanges.unfinished) exchange.fail(why);
    for (const session of this.#sessions.all) {
      session.lost.push(...[...session.detached].map((id) => restartError(id, why)));
      session.detached.clear();
    }
  }

  /** Opens the sessions at the next server, and sends it the requests that outlast a restart; if it fails, the last server stays. */
  async #takeOver(next: ChildServer, upstream: Upstream): Promise<readonly string[]> {
    const [last, lastUpstream, generation] = [this.#child, this.#upstream, this.#generation];
    const inner = this.#sessions.all.map((session) => [session, session.inner] as const);
    this.#leave();
    [this.#child, this.#entering, this.#upstream] = [next, next, upstream];
    try {
      this.#generation += 1;
      const remarks = await this.#renewSessions(upstream);
      if (next.hasEnded) throw commandError('SIGIL_DEV_ENDED', { how: describeEnd(await next.ended) });
      this.#resend(upstream);
      return remarks;
    } catch (error) {
      [this.#child, this.#upstream, this.#generation] = [last, lastUpstream, generation];
      for (const [session, id] of inner) session.inner = id;
      if (lastUpstream) this.#resend(lastUpstream);
      if (last?.hasEnded) this.#noteEnd(last, await last.ended);
      throw await failedStart(error, next);
    } finally {
      this.#entering = undefined;
    }
  }

  #resend(upstream: Upstream): void {
    for (const exchange of this.#exchanges) if (exchange.isLasting) exchange.send(upstream, this.#generation);
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
      return isResponse(message) || (id !== undefined && this.#exchanges.isRunning(session, id));
    });
    if (taken.length === 0) return content;
    this.options.tap?.note({ from: 'client', text: JSON.stringify(taken), session: session.record });
    if (rest === undefined) return undefined;
    const body = answersOf(taken, session, Buffer.from(JSON.stringify(taken)));
    const sent = { method, url, headers: { ...headers, 'mcp-session-id': session.inner }, body };
    if (body) this.#upstream?.ask(sent).catch(() => undefined); // the server has ended, so nothing waits for the answer
    return Buffer.from(rest);
  }

  #start(taken: IncomingMessage, response: ServerResponse, content: Buffer): void {
    const { method = 'GET', url = '/', headers } = taken;
    if (response.destroyed) return; // the client has disconnected
    const session = this.#sessions.find(headers);
    const read = method === 'POST' ? readShapes(content.toString('utf8')) : [];
    const body = session ? answersOf(read, session, content) : content;
    // It answers a question of a server that has ended.
    if (body === undefined) return void response.writeHead(202).end();
    if (session) this.#exchanges.noteCancelled(session, read);
    const { calls, tap } = this.options;
    const tapped = tapExchange(tap, session, taken, (this.#count += 1));
    if (method === 'POST') tapped.note('client', content, { line: `${method} ${url}`, headers });
    const request = { method, url, headers: tapped.headers, body: method === 'GET' ? undefined : body };
    if (this.#inPlace.takes(read, response, tapped)) return;
    const endCalls = calls?.beginAll(read, session?.record.client);
    const exchange: HeldExchange = new HeldExchange({
      request: session ? resumptionOf(request, this.#generation) : request,
      response,
      session,
      messages: read,
      onAnswer: (text, head) => {
        this.#sessions.learn({ read, session, request, text, head });
        const answers = readShapes(text);
        endCalls?.(answers);
        this.#inPlace.hear(read, answers, request);
      },
      onPassed: (text, head) => tapped.note('server', text, head && headOf(head)),
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

  #noteEnd(child: ChildServer, end: ChildEnd): void {
    // The end of a server whose sessions are being opened fails that, and the last server stays.
    if (this.#child !== child || this.#entering === child) return;
    this.#child = undefined;
    this.#leave();
    this.options.onDeath(end, child.crash);
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
