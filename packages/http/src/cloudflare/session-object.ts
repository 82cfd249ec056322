/** The class of Durable Objects that serve sessions: a server of its own in each, with its requests. */
import type { Server, ServerOptions } from '@sigil-mcp/core';
import { outsideRequests } from '@sigil-mcp/core/adapter';
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from '../fetch';
import { DurableStores } from './durable-stores';
import type { ObjectState } from './object-state';

/** Options of a server that serves a Worker: its stores, if it serves sessions. */
export type WorkerServerOptions = Pick<ServerOptions, 'stores'>;

/** Makes a server: once for the Worker, and once for each session. */
export type OpenServer = (options: WorkerServerOptions) => Server;

/** An object. */
export interface SessionObject {
  fetch(request: Request): Promise<Response>;
  alarm(): Promise<void>;
}

/** A class that the platform makes objects of, for a Worker to export. */
export type SessionObjectClass = new (state: ObjectState) => SessionObject;

/** Makes the class. Its server starts with the first request, so that an alarm alone starts none. */
export function sessionObjectClass(open: OpenServer, options: FetchHandlerOptions): SessionObjectClass {
  return class Sessions implements SessionObject {
    readonly #stores: DurableStores;
    #handle: FetchHandler | undefined;
    readonly #outside = outsideRequests();

    constructor({ storage }: ObjectState) {
      this.#stores = new DurableStores(storage);
    }

    fetch(request: Request): Promise<Response> {
      this.#handle ??= this.#outside(() => createFetchHandler(open({ stores: this.#stores }), options));
      return this.#handle(request);
    }

    alarm(): Promise<void> {
      return this.#stores.sessions.dropEnded();
    }
  };
}
