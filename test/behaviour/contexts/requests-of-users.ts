/** A program whose requests run in an async context with their user, as with `nestjs-cls`, a transaction or a trace. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer as createHttpServer } from 'node:http';
import type { Server } from '@sigil-mcp/core';
import { createNodeHandler, type NodeHandlerOptions } from '@sigil-mcp/http/node';
import { connect, type ConnectOptions, type TestClient } from '@sigil-mcp/testing';
import { listenWith } from '../http/web-server';

/** What a request keeps in its context: an object of its own for each. */
export interface Ambient {
  readonly user: string;
}

const storage = new AsyncLocalStorage<Ambient>();

/** In whose context this runs: of the program that has started the server, or of a user's request. */
export const ambient = (): Ambient | undefined => storage.getStore();

/** The user of the context in which this runs. */
export const user = (): string => ambient()?.user ?? 'nobody';

/** The user of what belongs to no request. */
export const PROGRAM = 'the program';

/** A server over HTTP, and its clients. */
export interface Served {
  /** A client whose requests run in the context of its user. */
  meet(name: string, options?: ConnectOptions): Promise<TestClient>;
  close(): Promise<void>;
}

/** Starts a server in the context of the program, and serves each request in that of its user. */
export async function serve(server: Server, options: NodeHandlerOptions = {}): Promise<Served> {
  const handle = storage.run({ user: PROGRAM }, () => createNodeHandler(server, options));
  await handle.ready;
  const listener = createHttpServer((request, response) =>
    storage.run({ user: String(request.headers['x-user']) }, () => handle(request, response)),
  );
  const { url, close } = await listenWith(listener, handle);
  const clients: TestClient[] = [];
  return {
    async meet(name, settings = {}) {
      const client = await connect(url, { ...settings, headers: { ...settings.headers, 'x-user': name } });
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await close();
    },
  };
}

/** Runs something as the request of a user, for parts that are tested without HTTP. */
export function as<T>(name: string, run: () => T): T {
  return storage.run({ user: name }, run);
}
