/** The official clients, with one face: they call, are asked, and see for themselves when a connection breaks. */
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world';

/** What a client saw of its connections, also before it was connected. */
export class Sights {
  /** Connections that broke, or met no process. */
  broken = 0;
  /** Refusals with 503. */
  refused = 0;
  /** Refusals with 404: the session is over. */
  over = 0;
}

/** Answers a question. */
export type Answer = (message: string) => { readonly [name: string]: number };

/** One client, connected. */
export interface Official {
  /** Calls a tool. @returns the text of its result */
  call(name: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Where a cluster is, and how long a client waits for it. */
export type Reached = Pick<World, 'origin' | 'patience'>;

/** Connects a client. */
export type Connect = (world: Reached, sights: Sights, answer: Answer) => Promise<Official>;

/** Milliseconds that the end of a session may take; the client knows no limit for it. */
const LONGEST_END = 5000;
const RECONNECTION = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 100,
};
const CAPABILITIES = { elicitation: { form: {} } };

/** `@modelcontextprotocol/sdk` 1, which most applications have today. */
export const sdk1: Connect = async (world, sights, answer) => {
  const options = { fetch: watchedFetch(sights), reconnectionOptions: RECONNECTION };
  const transport = new Transport1(new URL('/mcp', world.origin), options);
  const client = new Client1({ name: 'sdk 1', version: '1' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    content: answer(params.message),
  }));
  client.onerror = () => void sights.broken++;
  await client.connect(transport, { timeout: world.patience });
  return {
    call: async (name, args) =>
      textOf(await client.callTool({ name, arguments: args }, undefined, { timeout: world.patience })),
    close: () => closeAll(() => transport.terminateSession(), client),
  };
};

/** `@modelcontextprotocol/client` 2. @param mode `legacy`, or a revision that is asked for in each request */
export function client2(mode: 'legacy' | { pin: string }): Connect {
  return async (world, sights, answer) => {
    const options = { fetch: watchedFetch(sights), reconnectionOptions: RECONNECTION };
    const transport = new Transport2(new URL('/mcp', world.origin), options);
    const client = new Client2(
      { name: 'client 2', version: '2' },
      { capabilities: CAPABILITIES, versionNegotiation: { mode } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: answer(params.message),
    }));
    client.onerror = () => void sights.broken++;
    await client.connect(transport, { timeout: world.patience });
    return {
      call: async (name, args) => textOf(await client.callTool({ name, arguments: args }, { timeout: world.patience })),
      close: () => closeAll(() => transport.terminateSession(), client),
    };
  };
}

function watchedFetch(sights: Sights): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (response.status === 502) sights.broken++;
      if (response.status === 503) sights.refused++;
      if (response.status === 404) sights.over++;
      return response;
    } catch (error) {
      sights.broken++;
      throw error;
    }
  };
}

/** The end of a session may meet a broken connection; the session then ends by its time. */
async function closeAll(terminate: () => Promise<void>, client: { close(): Promise<void> }): Promise<void> {
  await Promise.race([terminate().catch(() => undefined), delay(LONGEST_END, undefined, { ref: false })]);
  await client.close();
}

function textOf(result: object): string {
  const [first] = (result as { content?: readonly { text?: string }[] }).content ?? [];
  return first?.text ?? JSON.stringify(result);
}
