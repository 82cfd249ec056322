/** The clients of a port: their requests wait while the server is replaced, and their sessions continue with the next server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { systemClock, type Clock } from '@sigil-mcp/base';
import { commandError } from '../errors/errors';
import { failure } from '../failure';
import { mention } from '../terminal/mention';
import type { ChildServer } from './child-server';
import { ClientExchange, ClientExchanges, resumptionOf } from './client-exchanges';
import type { ClientLine, LineOptions, LineStart } from './holder';
import { HttpSessions, JSON_HEADERS, type HttpSession } from './http-sessions';
import {
  cancelledId,
  isResponse,
  readShapes,
  restartError,
  rewriteEach,
  takeOut,
  type MessageShape,
} from './message-shape';
import { QuestionRounds, type QuestionRoute, type SendRound } from './questions';
import { readWhole, refuseBody } from './read-whole';
import { EXCHANGE_HEADER } from './request-report';
import type { TappedHead, TappedText } from './tap';
import { Upstream, type UpstreamRequest } from './upstream';
import { explainPort, freePort, waitForPort } from './ports';

const IDLE = 30 * 60_000;

/** The port. */
export interface HttpLineOptions extends LineOptions {
  readonly port: number;
  readonly host: string;
  /** Answers the requests that are not for the server; all are for the server if left out. @returns whether it takes the request */
  readonly front?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Milliseconds after which a restart drops an unused session. */
  readonly idle?: number;
}

/** Notes a text of one exchange. @param head undefined where it is known already */
type NoteText = (from: TappedText['from'], text: string | Buffer, head?: TappedHead) => void;

/** A request of a client, with the number of its exchange, and what is noted of it. */
interface NumberedRequest {
  readonly request: UpstreamRequest;
  readonly note: NoteText;
}

/** The clients of one port. */
export class HttpLine implements ClientLine {
  readonly gate: ClientLine['gate'] = { isHolding: true, refusal: undefined };
  /** There may be more clients. */
  readonly isLeaving = false;
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #sessions: HttpSessions;
  readonly #rounds: QuestionRounds;
  readonly #exchanges = new ClientExchanges();
  readonly #waiting = new Set<() => void>();
  readonly #upstreams = new WeakMap<ChildServer, Upstream>();
  #upstream: Upstream | undefined;
  /** Counts the servers. */
  #generation = 0;
  /** Counts the requests. */
  #count = 0;

  constructor(private readonly options: HttpLineOptions) {
    const { clock = systemClock, questions, front } = options;
    this.#clock = clock;
    this.#rounds = new QuestionRounds(questions);
    this.#sessions = new HttpSessions(clock, (session) => this.#routeOf(session));
    this.#server = createServer((request, response) => {
      response.on('error', () => undefined); // the client has disconnected
      if (front?.(request, response)) return;
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

  get isBusy(): boolean {
    return this.#exchanges.unfinished.length > 0 || this.#sessions.all.some(({ detached }) => detached.size > 0);
  }

  async starting(): Promise<LineStart> {
    const port = await freePort();
    return {
      environment: { PORT: String(port), HOST: '127.0.0.1' },
      speaks: false,
      onLine: () => undefined,
      ready: async (child) => {
        await waitForPort(port, child);
        this.#upstreams.set(child, new Upstream(port, (this.#generation += 1)));
      },
    };
  }

  goOn(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }

  refuseCalls(why: string): void {
    for (const exchange of this.#exchanges.unfinished) exchange.fail(why);
    for (const { lost, detached } of this.#sessions.all) {
      lost.push(...[...detached].map((id) => restartError(id, why)));
      detached.clear();
    }
  }

  leave(): void {
    this.#upstream = undefined;
    for (const exchange of this.#exchanges.lasting) exchange.abandon();
    for (const { questions } of this.#sessions.all) questions.forget();
  }

  use(child: ChildServer | undefined): void {
    this.#upstream = child && this.#upstreams.get(child);
  }

  async openSessions(child: ChildServer): Promise<readonly string[]> {
    const upstream = this.#upstreams.get(child);
    if (!upstream) return [];
    const { idle = IDLE } = this.options;
    const exchanges = [...this.#exchanges];
    this.#sessions.forget(
      (session) =>
        this.#clock.elapsed() - session.usedAt > idle && exchanges.every((exchange) => exchange.session !== session),
    );
    const before = this.#sessions.all.map((session) => [session, session.inner] as const);
    try {
      const renewing = before.map(([session]) => {
        const stream = exchanges.find((exchange) => exchange.session === session && exchange.isLasting);
        return this.#sessions.renew(session, upstream, (text) => stream?.say(text));
      });
      return [...new Set((await Promise.all(renewing)).flat())];
    } catch (error) {
      // They go on at the last server.
      for (const [session, inner] of before) session.inner = inner;
      throw error;
    }
  }

  resend(): void {
    if (this.#upstream) for (const exchange of this.#exchanges.lasting) exchange.send(this.#upstream);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await readWhole(request);
    if (content === undefined) return; // the client disconnected before the end of its request
    if (content === 'too large') return refuseBody(response);
    const held = this.gate.isHolding ? this.#passAhead(request, content) : undefined;
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
    if (response.destroyed) return; // the client has disconnected
    const session = this.#sessions.find(taken.headers);
    const read = taken.method === 'POST' ? readShapes(content.toString('utf8')) : [];
    const body = session ? answersOf(read, session, content) : content;
    // It answers a question of a server that has ended.
    if (body === undefined) return void response.writeHead(202).end();
    if (session) this.#exchanges.noteCancelled(session, read);
    const numbered = this.#number(taken, session, body);
    const { request, note } = numbered;
    if (request.method === 'POST')
      note('client', content, { line: `${request.method} ${request.url}`, headers: taken.headers });
    if (this.#takesRound(read, response, note)) return;
    const exchange = this.#open(numbered, { response, session, read });
    const { refusal } = this.gate;
    if (refusal !== undefined || !this.#upstream) exchange.fail(refusal ?? 'There is no server at the moment.');
    else {
      exchange.send(this.#upstream);
      if (request.method === 'GET' && session) this.#sayLost(exchange, session);
    }
  }

  /** The request of a client for the server, with a number if it is noted. */
  #number(
    { method = 'GET', url = '/', headers }: IncomingMessage,
    session: HttpSession | undefined,
    body: Buffer,
  ): NumberedRequest {
    const { tap } = this.options;
    const exchange = (this.#count += 1);
    return {
      request: {
        ...{ method, url, body: method === 'GET' ? undefined : body },
        headers: tap ? { ...headers, [EXCHANGE_HEADER]: String(exchange) } : headers,
      },
      note: (from, text, head) => {
        if (text.length > 0) tap?.note({ from, text, session: session?.record, exchange, head });
      },
    };
  }

  #open(
    { request, note }: NumberedRequest,
    {
      response,
      session,
      read,
    }: { response: ServerResponse; session: HttpSession | undefined; read: readonly MessageShape[] },
  ): ClientExchange {
    const endCalls = this.options.calls?.beginAll(read, session?.record.client);
    const exchange: ClientExchange = new ClientExchange({
      request: session ? resumptionOf(request, this.#upstream?.generation ?? 0) : request,
      response,
      session,
      messages: read,
      onAnswer: (text, head) => {
        this.#sessions.learn({ read, session, request, text, head });
        const answers = readShapes(text);
        endCalls?.(answers);
        for (const answer of answers) {
          const asked = read.find(({ id }) => id === answer.id);
          this.#rounds.hear(asked, answer, this.#sendRound(request));
        }
      },
      onPassed: (text, head) => note('server', text, head && { line: String(head.statusCode), headers: head.headers }),
      onEnd: () => {
        this.#exchanges.delete(exchange);
        if (session) session.usedAt = this.#clock.elapsed();
      },
    });
    this.#exchanges.add(exchange);
    return exchange;
  }

  /** A client that reconnects for a lost answer receives an error, as soon as there is a stream. */
  #sayLost(exchange: ClientExchange, { lost }: HttpSession): void {
    const [first, ...others] = lost.splice(0);
    if (first === undefined) return;
    const tell = (): void => {
      if (this.#exchanges.has(exchange) && !exchange.say(first)) setTimeout(tell, 20).unref();
      else for (const error of others) exchange.say(error);
    };
    tell();
  }

  /** Answers a round of a call that the page has answered. @returns whether it is one */
  #takesRound([message, ...more]: readonly MessageShape[], response: ServerResponse, note: NoteText): boolean {
    const round = message && more.length === 0 ? this.#rounds.take(message) : undefined;
    round
      ?.then((text) => {
        note('server', text, { line: '200', headers: {} });
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      })
      .catch(() => response.destroy());
    return round !== undefined;
  }

  /** Sends a round of questions instead of a client, with its headers. */
  #sendRound(request: UpstreamRequest): SendRound {
    return async (round) => {
      const exchange = (this.#count += 1);
      const [upstream, sent] = [this.#upstream, JSON.stringify(round)];
      const note = (from: 'client' | 'server', text: string): void =>
        this.options.tap?.note({ from, text, session: undefined, exchange, isInPlace: true });
      note('client', sent);
      if (!upstream) throw commandError('SIGIL_DEV_CLOSED');
      const headers = { ...request.headers, [EXCHANGE_HEADER]: String(exchange) };
      const { text } = await upstream.ask({ ...request, headers, body: Buffer.from(sent) });
      note('server', text);
      return text;
    };
  }

  /** How the questions in a session are answered instead of its client. */
  #routeOf(session: HttpSession): QuestionRoute | undefined {
    const { questions: watcher, tap } = this.options;
    return (
      watcher && {
        watcher,
        client: () => session.record.client,
        reply: (text, outer) => {
          tap?.note({ from: 'client', text: outer, session: session.record, isInPlace: true });
          const { url, headers: given } = session.origin;
          const headers = { ...given, ...JSON_HEADERS, 'mcp-session-id': session.inner };
          this.#upstream?.ask({ method: 'POST', url, headers, body: Buffer.from(text) }).catch(mention);
        },
        tell: (text) => this.#exchanges.tell(session, text),
      }
    );
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
