/**
 * The load balancer in front of the cluster: each request goes to the next process, whatever it is and whoever sends it. A process that
 * takes no connection is passed over; one that breaks an answer off breaks it off for the client, too.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Names of the defects. */
export const PROXY_DEFECTS = ['repeats', 'gaps', 'lost-sessions', 'kept-sessions', 'lost-cancellations'] as const;

/** A report of progress, with all that belongs to its event. */
const EVENT = /(?:^|\n\n)((?:[^\n]+\n)*data: [^\n]*notifications\/progress[^\n]*\n\n)/;

/** Every so manieth time. */
const SOMETIMES = 9;

/** One of them, at work. */
export class ProxyDefect {
  #times = 0;

  constructor(private readonly name: (typeof PROXY_DEFECTS)[number]) {}

  /** Answers a request itself, if the defect is that. */
  answers({ method, headers }: IncomingMessage, body: Buffer, answer: ServerResponse): boolean {
    const isSession = headers['mcp-session-id'] !== undefined;
    if (this.name === 'kept-sessions' && method === 'DELETE') return reply(answer, 204);
    if (this.name === 'lost-cancellations' && body.includes('notifications/cancelled')) return reply(answer, 202);
    if (this.name === 'lost-sessions' && isSession && method === 'POST' && this.#isTime()) return reply(answer, 404);
    return false;
  }

  /** What becomes of a piece of an event stream. */
  distort(chunk: Buffer): Buffer | string {
    if (this.name !== 'repeats' && this.name !== 'gaps') return chunk;
    const text = chunk.toString('utf8');
    const [, event] = EVENT.exec(text) ?? [];
    if (event === undefined || !this.#isTime()) return chunk;
    return text.replace(event, this.name === 'gaps' ? '' : `${event}${event}`);
  }

  #isTime(): boolean {
    return ++this.#times % SOMETIMES === 0;
  }
}

/** The header by which clients of these tests see which process has answered. */
export const LANE_HEADER = 'x-lane';

/** Passes what comes, until one side ends. */
class OpenAnswer {
  readonly isStream: boolean;
  #isDead = false;

  constructor(
    readonly lane: number,
    private readonly coming: IncomingMessage,
    private readonly answer: ServerResponse,
    defect?: ProxyDefect,
  ) {
    this.isStream = coming.headers['content-type']?.startsWith('text/event-stream') ?? false;
    // These are about the connection to the process, not about that of the client.
    const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = coming.headers;
    answer.writeHead(coming.statusCode ?? 502, { ...headers, [LANE_HEADER]: `${lane}` });
    answer.flushHeaders();
    coming.on('data', (chunk: Buffer) => this.#pass(this.isStream && defect ? defect.distort(chunk) : chunk));
    coming.on('end', () => !this.#isDead && answer.end());
    // Broken off: the client sees that, and does not take what came for all there is.
    coming.on('error', () => answer.destroy());
    coming.on('close', () => !coming.complete && !this.#isDead && answer.destroy());
    answer.on('close', () => coming.destroy());
  }

  /** Breaks the connection on both sides. */
  cut(): void {
    this.answer.destroy();
    this.coming.destroy();
  }

  /** Passes nothing any more, and tells neither side, for some milliseconds; then the connection is broken. */
  leave(milliseconds: number): void {
    this.#isDead = true;
    setTimeout(() => this.cut(), milliseconds).unref();
  }

  /** Calls back when it is over. */
  onEnd(ended: () => void): void {
    this.answer.once('close', ended);
  }

  #pass(chunk: Buffer | string): void {
    // What a dead connection takes is lost.
    if (!this.#isDead && !this.answer.destroyed) this.answer.write(chunk);
  }
}

/** Takes turns between ports. */
export class RoundRobinProxy {
  readonly #server: Server;
  readonly #open = new Set<OpenAnswer>();
  readonly #agent: Agent;
  #turn = 0;

  /**
   * @param defect what is wrong with it on purpose, if anything
   * @param keepAlive whether connections to processes are kept: one might be to a process that was killed since
   */
  constructor(
    private readonly ports: readonly number[],
    private readonly defect?: ProxyDefect,
    keepAlive = false,
  ) {
    this.#agent = new Agent({ keepAlive });
    this.#server = createServer((incoming, answer) => void this.#take(incoming, answer));
  }

  /** Listens. @returns the origin that clients connect to */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The answers that are streams, and still open. */
  get streams(): readonly OpenAnswer[] {
    return [...this.#open].filter(({ isStream }) => isStream);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #take(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    if (!body || this.defect?.answers(incoming, body, answer)) return;
    const first = this.#turn++;
    for (let tries = 0; tries < this.ports.length; tries++) {
      const lane = (first + tries) % this.ports.length;
      if (await this.#pass(lane, incoming, body, answer)) return;
    }
    answer.writeHead(502).end();
  }

  /** Hands a request to a process. @returns false where it took no connection, so that another one may be asked */
  #pass(lane: number, incoming: IncomingMessage, body: Buffer, answer: ServerResponse): Promise<boolean> {
    const { method, url, headers } = incoming;
    return new Promise((resolve) => {
      const port = this.ports[lane];
      const passed = request({ host: '127.0.0.1', port, method, path: url, headers, agent: this.#agent });
      const leave = (): void => void passed.destroy();
      answer.once('close', leave);
      passed.once('response', (coming) => {
        this.#follow(new OpenAnswer(lane, coming, answer, this.defect));
        resolve(true);
      });
      passed.once('error', (error: NodeJS.ErrnoException) => {
        answer.off('close', leave);
        const isRefused = error.code === 'ECONNREFUSED';
        if (!isRefused && !answer.headersSent)
          answer
            .writeHead(502)
            .end(
              `process ${lane}: ${error.code ?? error.message}${passed.reusedSocket ? ', on a kept connection' : ''}`,
            );
        else if (!isRefused) answer.destroy();
        resolve(!isRefused);
      });
      passed.end(body);
    });
  }

  #follow(open: OpenAnswer): void {
    this.#open.add(open);
    open.onEnd(() => this.#open.delete(open));
  }
}

/** The whole body; undefined where the client has gone meanwhile. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

function reply(answer: ServerResponse, status: number): true {
  answer.writeHead(status).end();
  return true;
}
