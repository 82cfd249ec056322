/** A client that sends each request once, and takes whatever is not its result for a failure. */
import { ALONE_META, type Message } from '../../../support/transcript';
import { aloneHeaders } from '../clients/alone-headers';
import type { Official, Reached } from '../clients/official-client';
import { textOf } from '../clients/exchange';
import { freePort } from '../../../support/free-port';
import { documentedConfiguration, hasNginx, Nginx } from '../../../support/supplies/nginx';
import { RoundRobinProxy } from '../proxy/round-robin-proxy';

/** A proxy that stands. */
interface Way {
  readonly origin: string;
  close(): Promise<void>;
}

/** Their names, as they are said on the command line. */
export const WAYS = ['nginx', 'each', 'kept'] as const;

/** One of them. */
export type WayName = (typeof WAYS)[number];

/** What they are, for people. */
export const WAY_TITLES: Readonly<Record<WayName, string>> = {
  nginx: 'nginx, as documented',
  each: 'round robin, a connection each',
  kept: 'round robin, kept connections',
};

const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const NEWEST = '2026-07-28';

/** Connects one that speaks a revision: with a session, where it has them. */
export async function connectStrictly(reached: Reached, revision: string): Promise<Official> {
  const client = new StrictClient(reached);
  if (revision !== NEWEST) await client.shakeHands(revision);
  return client;
}

class StrictClient implements Official {
  #session: Readonly<Record<string, string>> | undefined;
  #nextId = 1;

  constructor(private readonly reached: Reached) {}

  async shakeHands(protocolVersion: string): Promise<void> {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'strict', version: '1' } };
    const response = await this.#post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, {});
    const session = response.headers.get('mcp-session-id');
    await answerOf(response, 0);
    if (session === null) throw new Error('initialize opened no session');
    this.#session = { 'mcp-session-id': session, 'mcp-protocol-version': protocolVersion };
    const told = await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.#session);
    if (told.status !== 202) throw new Error(`initialized was answered with ${told.status} ${await told.text()}`);
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const id = this.#nextId++;
    // Every other one is a stream.
    const meta = { ...(!this.#session && ALONE_META), ...(id % 2 === 0 && { progressToken: id }) };
    const params = { name, arguments: args, _meta: meta };
    const headers = this.#session ?? aloneHeaders('tools/call', name);
    return textOf(await answerOf(await this.#post({ jsonrpc: '2.0', id, method: 'tools/call', params }, headers), id));
  }

  async close(): Promise<void> {
    if (this.#session) await fetch(this.#url, { method: 'DELETE', headers: this.#session });
  }

  get #url(): URL {
    return new URL('/mcp', this.reached.origin);
  }

  #post(message: object, headers: Readonly<Record<string, string>>): Promise<Response> {
    const signal = AbortSignal.timeout(this.reached.patience);
    return fetch(this.#url, {
      method: 'POST',
      headers: { ...MANNERS, ...headers },
      body: JSON.stringify(message),
      signal,
    });
  }
}

/** The result that a response carries. @throws Error with what came in its place */
async function answerOf(response: Response, id: number): Promise<Message> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const texts = isStream ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => data) : [text];
  const messages = response.status === 200 ? texts.map((each) => JSON.parse(each) as Message) : [];
  const answer = messages.find((message) => message['id'] === id && 'result' in message);
  if (!answer)
    throw new Error(`${response.status} ${response.headers.get('retry-after') ?? '-'} ${text.slice(0, 300)}`);
  return answer['result'] as Message;
}

/** Whether this machine has what a way needs. */
export function isThere(way: WayName): boolean {
  return way !== 'nginx' || hasNginx();
}

/** Opens a way to the processes on these ports; nginx has room for three. */
export async function openWay(name: WayName, ports: readonly number[]): Promise<Way> {
  if (name === 'nginx') {
    const port = await freePort();
    const nginx = await Nginx.start(documentedConfiguration([port, ...ports]), port);
    return { origin: `http://127.0.0.1:${port}`, close: () => nginx.stop() };
  }
  const proxy = new RoundRobinProxy(ports, undefined, name === 'kept');
  return { origin: await proxy.listen(), close: () => proxy.close() };
}
