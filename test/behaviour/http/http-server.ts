/** A server on a real socket, and the ways a test talks to it: well-mannered, and byte by byte. */
import type { Server as HttpServer } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { Caller, createServer, type Auth, type Server, type ServerOptions } from '@sigil-mcp/core';
import { ANONYMOUS } from '@sigil-mcp/core/adapter';
import { serveNode } from './node-server';
import { serveWeb } from './web-server';
import { HttpTransport, type HttpTransportOptions } from '@sigil-mcp/fastify';

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, or the messages of its events. */
  readonly messages: readonly Message[];
}

/** A JSON-RPC message as a test reads it. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** An open server. */
export interface OpenServer {
  readonly server: Server;
  /** Of Fastify; throws with another adapter. */
  readonly transport: HttpTransport;
  /** What listens. */
  readonly http: HttpServer;
  readonly url: string;
  readonly port: number;
  post(body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Opens a session; the headers that its requests need. */
  initialize(version?: string, who?: Record<string, string>): Promise<Record<string, string>>;
  /** Sends bytes and gives what comes back until the server hangs up, or enough has come. */
  raw(bytes: string | Buffer, isEnough?: (text: string) => boolean): Promise<string>;
  close(): Promise<void>;
}

const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Whoever says a name is its owner; `nobody` is nobody. */
export const believing: Auth = {
  verify: (name) => (name === 'nobody' ? ANONYMOUS : new Caller({ id: name })),
};

/** The header that says a name. */
export function as(name: string): { authorization: string } {
  return { authorization: `Bearer ${name}` };
}

/** What serves the servers of these tests: the specs of this folder run with each. */
export type Adapter = 'fastify' | 'fetch' | 'node';
let adapter: Adapter = 'fastify';

/** Serves all later servers with another adapter. */
export function useAdapter(other: Adapter): void {
  adapter = other;
}

const nothing = Object.assign(() => undefined, { each: () => () => undefined });

/** `it` for what Node does by itself, before a request is one: other platforms have their own ways, and no test here. */
export function itOnNode(): jest.It {
  return adapter === 'fetch' ? (nothing as unknown as jest.It) : it;
}

/** `it` for what the owner of an HTTP server sets up: the transport does it, and others do it in their own program. */
export function itWithTransport(): jest.It {
  return adapter === 'fastify' ? it : (nothing as unknown as jest.It);
}

/** `describe`, like `itWithTransport`. */
export function describeWithTransport(): jest.Describe {
  return adapter === 'fastify' ? describe : (nothing as unknown as jest.Describe);
}

/** Serves on a free port of loopback. */
export async function serve(
  definition: Partial<ServerOptions>,
  options: HttpTransportOptions = {},
): Promise<OpenServer> {
  const server = createServer({ name: 'http-test', version: '1.0.0', logger: false, ...definition });
  const opening: Promise<Served> = ADAPTERS[adapter](server, options);
  const { transport, http, url, close } = await opening;
  const port = Number(new URL(url).port);
  const post: OpenServer['post'] = async (body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return read(await fetch(url, { method: 'POST', headers: { ...MANNERS, ...headers }, body: text }));
  };
  return {
    server,
    get transport() {
      if (!transport) throw new Error('Only Fastify has a transport.');
      return transport;
    },
    http,
    url,
    port,
    post,
    async initialize(version = '2025-11-25', who = {}) {
      const { headers } = await post(
        request(0, 'initialize', {
          protocolVersion: version,
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        }),
        who,
      );
      const id = headers.get('mcp-session-id');
      return id === null ? {} : { ...who, 'mcp-session-id': id };
    },
    raw: (bytes, isEnough = () => false) => sendRaw(port, bytes, isEnough),
    close,
  };
}

type Served = Pick<OpenServer, 'http' | 'url' | 'close'> & { readonly transport?: HttpTransport };

async function serveFastify(server: Server, options: HttpTransportOptions): Promise<Served> {
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, ...options });
  await server.listen(transport);
  return { transport, http: transport.app.server, url: transport.url ?? '', close: () => server.close() };
}

const ADAPTERS: Record<Adapter, (server: Server, options: HttpTransportOptions) => Promise<Served>> = {
  fastify: serveFastify,
  fetch: serveWeb,
  node: serveNode,
};

/** A request. */
export function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

/** Reads a whole response. */
export async function read(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, messages: messagesOf(response.headers, text) };
}

function messagesOf(headers: Headers, text: string): Message[] {
  const type = headers.get('content-type') ?? '';
  const lines = type.startsWith('text/event-stream')
    ? text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => line.slice('data: '.length))
    : [text].filter((body) => body.startsWith('{') || body.startsWith('['));
  return lines.flatMap((line) => [JSON.parse(line) as Message | Message[]].flat());
}

function sendRaw(port: number, bytes: string | Buffer, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connectSocket(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      if (isEnough(answer)) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
