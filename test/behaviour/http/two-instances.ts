/** Two instances of a server in one process, which share their stores as two processes share a Redis. */
import type { ServerOptions } from '@sigil-mcp/core';
import { MemoryStores, STREAM_LIMITS, type Stores } from '@sigil-mcp/core/stores';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { withWorkers } from './memory-workers';
import { request, serve, type Message, type OpenServer } from './http-server';

/** The instances, and what they share. */
export interface Instances {
  readonly a: OpenServer;
  readonly b: OpenServer;
  readonly stores: MemoryStores;
  close(): Promise<void>;
}

/**
 * Serves the same definition twice.
 * @param seenByB the stores as the second instance sees them; as the first one does if left out
 */
export async function serveTwice(
  definition: Partial<ServerOptions>,
  options: HttpTransportOptions = {},
  seenByB: (stores: MemoryStores) => Stores = (stores) => stores,
): Promise<Instances> {
  const stores = withWorkers(new MemoryStores(STREAM_LIMITS, definition.clock), definition.clock);
  const [a, b] = await Promise.all([
    serve({ ...definition, stores }, options),
    serve({ ...definition, stores: seenByB(stores) }, options),
  ]);
  return { a, b, stores, close: async () => void (await Promise.all([a.close(), b.close()])) };
}

/** Opens a session as a client that can be asked. */
export async function initialize(open: OpenServer, version: string, who: Record<string, string> = {}) {
  const params = {
    protocolVersion: version,
    capabilities: { elicitation: {}, sampling: {}, roots: {} },
    clientInfo: { name: 'test', version: '1' },
  };
  const { headers } = await open.post(request(0, 'initialize', params), who);
  const session = { ...who, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  return session;
}

/** An event stream that is being read. */
export interface ReadStream {
  readonly status: number;
  /** Messages so far, with the ids of their events. */
  readonly messages: (Message & { readonly event?: string })[];
  /** The id of the last event, be it empty or not. */
  readonly lastEvent: string | undefined;
  /** Resolves when it ends. */
  readonly done: Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

/** Opens the stream of a session, or what a POST is answered with. */
export async function readStream(
  { url }: OpenServer,
  headers: Record<string, string>,
  body?: object,
): Promise<ReadStream> {
  const controller = new AbortController();
  const accept = { accept: body ? 'application/json, text/event-stream' : 'text/event-stream' };
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...accept, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: controller.signal,
  });
  const read = { messages: [] as ReadStream['messages'], lastEvent: undefined as string | undefined };
  const done = readEvents(response, read).catch(() => undefined);
  return Object.assign(read, { status: response.status, done, cut: () => controller.abort() });
}

async function readEvents(
  response: Response,
  read: { messages: (Message & { event?: string })[]; lastEvent: string | undefined },
): Promise<void> {
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString();
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, event] = /^id: (.*)$/m.exec(frame) ?? [];
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (event !== undefined) read.lastEvent = event;
      if (data) read.messages.push({ ...(JSON.parse(data) as Message), ...(event !== undefined && { event }) });
    }
  }
}
