/**
 * The load balancer in front of the cluster: each request goes to the next process, whatever it is and whoever sends it. A process that
 * takes no connection is passed over; one that breaks an answer off breaks it off for the client, too.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenAnswer } from './open-answer';
import type { ProxyDefect } from './proxy-defect';

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
