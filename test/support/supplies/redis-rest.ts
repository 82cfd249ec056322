/** A real Redis behind HTTP: a front that speaks the REST API of Upstash, as its documentation describes it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@redis/client';
import type { RedisServer } from './redis-server';

/** The token that it takes. */
export const REST_TOKEN = 'a-token-that-may-write';

const clientOf = ({ url }: RedisServer) => createClient({ url });
type Client = ReturnType<typeof clientOf>;

/** The front of one Redis. @see https://upstash.com/docs/redis/features/restapi */
export class RedisRest {
  readonly #http: Server;
  readonly #subscriptions = new Set<ServerResponse>();

  private constructor(
    private readonly redis: RedisServer,
    private readonly client: Client,
  ) {
    this.#http = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(redis: RedisServer): Promise<RedisRest> {
    const client = clientOf(redis);
    client.on('error', () => undefined);
    await client.connect();
    const front = new RedisRest(redis, client);
    front.#http.listen(0, '127.0.0.1');
    await once(front.#http, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Cuts off all subscriptions. */
  cutSubscriptions(): void {
    for (const response of this.#subscriptions) response.destroy();
  }

  async stop(): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await once(this.#http, 'close');
    this.client.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${REST_TOKEN}`)
      return reply(401, { error: 'WRONGPASS invalid token' });
    const [, channel] = /^\/subscribe\/(.+)$/.exec(request.url ?? '') ?? [];
    if (channel !== undefined) return this.#subscribe(decodeURIComponent(channel), response);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    try {
      const words = JSON.parse(Buffer.concat(pieces).toString()) as string[];
      reply(200, { result: await this.client.sendCommand(words) });
    } catch (error) {
      reply(400, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  async #subscribe(channel: string, response: ServerResponse): Promise<void> {
    const subscriber = clientOf(this.redis);
    subscriber.on('error', () => undefined);
    this.#subscriptions.add(response);
    response.once('close', () => {
      this.#subscriptions.delete(response);
      if (subscriber.isOpen) subscriber.destroy();
    });
    await subscriber.connect();
    await subscriber.subscribe(channel, (message) => void response.write(`data: message,${channel},${message}\n\n`));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: subscribe,${channel},1\n\n`);
  }
}
