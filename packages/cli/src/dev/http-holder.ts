/** Holds a port: its clients' requests wait while the server is exchanged, and their sessions go on with the next one. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { RequestId } from '@sigil-mcp/protocol';
import { CliFailure } from '../failure';
import { ChildServer, describeEnd, type ChildEnd, type ChildOptions } from './child-server';
import { freePort, isListening } from './free-port';
import { HeldExchange } from './held-exchange';
import type { Holder, Successor } from './holder';
import { HttpSession } from './http-session';
import { isMembers, isResponse, readShapes, type MessageShape } from './message-shape';
import { restartError } from './restart-error';
import { innerEventId } from './rewrite-events';
import { listChanges } from './session-record';
import { Upstream, type UpstreamRequest } from './upstream';

/** What the port is made of. */
export interface HttpHolderOptions {
  readonly port: number;
  readonly host: string;
  readonly child: Omit<ChildOptions, 'program' | 'speaks'>;
  /** The server ended though nobody asked it to. */
  readonly onDeath: (end: ChildEnd) => void;
}

/** Milliseconds that a server has to listen. */
const STARTING = 30_000;
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The clients of one port. */
export class HttpHolder implements Holder {
  readonly #server: Server;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #exchanges = new Set<HeldExchange>();
  #waiting: (() => void)[] = [];
  #isHolding = true;
  #refusal: string | undefined;
  #child: ChildServer | undefined;
  #upstream: Upstream | undefined;
  #generation = 0;

  constructor(private readonly options: HttpHolderOptions) {
    this.#server = createServer((request, response) => void this.#take(request, response));
    // Streams last, and a server that is being looked at in a debugger takes its time.
    this.#server.requestTimeout = 0;
  }

  /** @throws CliFailure if the port is taken */
  async listen(): Promise<void> {
    const { port, host } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, resolve);
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliFailure(`Port ${port} cannot be used: ${reason}.`, 'Choose another one with --port.');
    });
  }

  hold(): void {
    this.#refusal = undefined;
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  async drain(patience: number, why: string): Promise<void> {
    const deadline = Date.now() + patience;
    const unfinished = (): HeldExchange[] => [...this.#exchanges].filter(({ isUnfinished }) => isUnfinished);
    while ((unfinished().length > 0 || this.#hasDetached()) && Date.now() < deadline) await pause();
    for (const exchange of unfinished()) exchange.fail(why);
    for (const session of this.#sessions.values()) {
      session.lost.push(...[...session.detached].map((id) => restartError(id, why)));
      session.detached.clear();
    }
  }

  async attach(program: string): Promise<Successor> {
    const port = await freePort();
    const { args, environment } = this.options.child;
    const child = new ChildServer(
      { program, args, environment: { ...environment, PORT: String(port), HOST: '127.0.0.1' }, speaks: false },
      () => undefined,
    );
    this.#child = child;
    await waitForPort(port, child);
    void child.ended.then((end) => this.#child === child && this.#died(end));
    this.#upstream = new Upstream(port);
    this.#generation += 1;
    const remarks = await Promise.all([...this.#sessions.values()].map((session) => this.#renew(session)));
    for (const exchange of this.#exchanges) if (exchange.isLasting) exchange.send(this.#upstream, this.#generation);
    return { remark: remarks.find((remark) => remark !== undefined) };
  }

  async detach(patience: number): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#leave();
    await child?.stop(patience);
  }

  refuse(why: string): void {
    this.#refusal = why;
    this.release();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.detach(0);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
    } catch {
      return; // the client hung up before it had said what it wants
    }
    const go = (): void => this.#start(request, response, Buffer.concat(chunks));
    if (this.#isHolding) this.#waiting.push(go);
    else go();
  }

  #start({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse, content: Buffer): void {
    const id = headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    const read = method === 'POST' ? readShapes(content.toString('utf8')) : [];
    const body = session ? answersOf(read, session, content) : content;
    // Its question was of a server that is gone.
    if (body === undefined) return void response.writeHead(202).end();
    const request = { method, url, headers, body: method === 'GET' ? undefined : body };
    const exchange: HeldExchange = new HeldExchange({
      request: session ? this.#resumption(request) : request,
      response,
      session,
      messages: read,
      onAnswer: (text, head) => this.#learn({ read, session, request }, text, head),
      onEnd: () => void this.#exchanges.delete(exchange),
    });
    this.#exchanges.add(exchange);
    if (this.#refusal !== undefined || !this.#upstream) exchange.fail(this.#refusal ?? 'There is no server.');
    else this.#send(exchange, session, method);
  }

  #send(exchange: HeldExchange, session: HttpSession | undefined, method: string): void {
    if (!this.#upstream) return;
    exchange.send(this.#upstream, this.#generation);
    if (method !== 'GET' || !session?.lost.length) return;
    // Who comes back for an answer that is lost is told so, as soon as there is a stream.
    const lost = session.lost.splice(0);
    const tell = (): void => {
      if (this.#exchanges.has(exchange) && !exchange.say(lost[0] ?? '')) setTimeout(tell, 20).unref();
      else for (const error of lost.slice(1)) exchange.say(error);
    };
    tell();
  }

  /** An event of another server cannot be gone on from. */
  #resumption(request: UpstreamRequest): UpstreamRequest {
    const { 'last-event-id': last, ...headers } = request.headers;
    if (typeof last !== 'string') return request;
    const inner = innerEventId(last, this.#generation);
    return { ...request, headers: inner === undefined ? headers : { ...headers, 'last-event-id': inner } };
  }

  /** Follows what clients do to their sessions, and what servers say to it. */
  #learn(
    {
      read,
      session,
      request,
    }: { read: readonly MessageShape[]; session: HttpSession | undefined; request: UpstreamRequest },
    text: string,
    head: IncomingMessage,
  ): void {
    const isGood = (head.statusCode ?? 500) < 300;
    if (isGood && session) for (const message of read) session.record.note(message);
    const isOver = isGood ? request.method === 'DELETE' : head.statusCode === 404;
    if (session && isOver) this.#sessions.delete(session.id);
    const id = head.headers['mcp-session-id'];
    const opening = read.find(({ method }) => method === 'initialize');
    if (!isGood || !opening || typeof id !== 'string' || this.#sessions.has(id)) return;
    const opened = new HttpSession(id, id, { url: request.url, headers: request.headers });
    opened.record.note(opening);
    opened.capabilities = capabilitiesIn(text);
    this.#sessions.set(id, opened);
  }

  /** Opens a session with the server of the moment, as its client once did with the first one. */
  async #renew(session: HttpSession): Promise<string | undefined> {
    const { record, origin } = session;
    const upstream = this.#upstream;
    if (!upstream || record.opening === undefined) return undefined;
    const { 'mcp-session-id': _id, ...known } = origin.headers;
    const post = (text: string, headers: object = {}) =>
      upstream.ask({
        method: 'POST',
        url: origin.url,
        headers: { ...known, ...JSON_HEADERS, ...headers },
        body: Buffer.from(text),
      });
    const opened = await post(record.opening);
    if (opened.session === undefined) {
      this.#sessions.delete(session.id);
      return 'A session could not be opened again; its client has to.';
    }
    session.inner = opened.session;
    for (const text of record.following) await post(text, { 'mcp-session-id': session.inner });
    const changes = record.isOpen ? listChanges(capabilitiesIn(opened.text)) : [];
    const standalone = [...this.#exchanges].find((exchange) => exchange.session === session && exchange.isLasting);
    for (const change of changes) standalone?.say(change);
    return undefined;
  }

  #died(end: ChildEnd): void {
    this.#child = undefined;
    this.#leave();
    this.options.onDeath(end);
  }

  #leave(): void {
    this.#upstream = undefined;
    for (const exchange of this.#exchanges) if (exchange.isLasting) exchange.abandon();
    for (const { questions } of this.#sessions.values()) questions.forget();
  }

  #hasDetached(): boolean {
    return [...this.#sessions.values()].some(({ detached }) => detached.size > 0);
  }
}

/** The body with the server's own ids in the answers of the client; undefined if they are to nobody. */
function answersOf(messages: readonly MessageShape[], { questions }: HttpSession, body: Buffer): Buffer | undefined {
  const [message] = messages;
  if (messages.length !== 1 || !message || !isResponse(message)) return body;
  const id = questions.take(message.id as RequestId); // a response has one
  return id === undefined ? undefined : Buffer.from(JSON.stringify({ ...message, id }));
}

function capabilitiesIn(text: string): unknown {
  const [message] = readShapes(text);
  return isMembers(message?.result) ? message.result['capabilities'] : undefined;
}

async function waitForPort(port: number, child: ChildServer): Promise<void> {
  const deadline = Date.now() + STARTING;
  while (!(await isListening(port))) {
    if (child.hasEnded) throw new Error(`It ended ${describeEnd(await child.ended)}.`);
    if (Date.now() > deadline)
      throw new Error(`It does not listen on the PORT of its environment (${port}); leave the port to it.`);
    await pause(30);
  }
}

function pause(milliseconds = 10): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
