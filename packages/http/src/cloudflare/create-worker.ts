/** A Cloudflare Worker whose clients of revisions with a handshake have sessions, each in a Durable Object. */
import type { Clock } from '@sigil-mcp/core/adapter';
import {
  isObject,
  OPTION_RULES,
  parseJson,
  requireOptions,
  outsideRequests,
  platformClock,
} from '@sigil-mcp/core/internal';
import type { Server, ServerOptions } from '@sigil-mcp/core';
import { MemoryStores, STREAM_LIMITS, type Stores, type StreamLimits } from '@sigil-mcp/core/stores';
import { httpError } from '../errors';
import { type FetchHandlerOptions, createFetchHandler, type FetchHandler } from '../fetch';
import { createCheckedHandler } from '../fetch/create-fetch-handler';
import { ADDRESSED_OPTIONS } from '../options/endpoint-options';
import {
  type ObjectId,
  type ObjectNamespace,
  DurableSessions,
  type ObjectState,
  type ObjectStorage,
} from './durable-sessions';

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

/** No other instance uses them: each object has a server of its own. */
export class DurableStores implements Stores {
  readonly sessions: DurableSessions;
  readonly streams: Stores['streams'];
  readonly bus: Stores['bus'];
  readonly rates: Stores['rates'];

  constructor(storage: ObjectStorage, limits: StreamLimits = STREAM_LIMITS, clock: Clock = platformClock()) {
    const { streams, bus, rates } = new MemoryStores(limits, clock);
    this.streams = streams;
    this.bus = bus;
    this.rates = rates;
    this.sessions = new DurableSessions(storage, clock, (id) => streams.endSession(id));
  }

  close(): void {
    // The storage is the platform's.
  }
}

/** Bytes of the longest handshake. */
const LONGEST = 64 * 1024;

const HEADER = 'mcp-session-id';

/** Ids of objects are hexadecimal. */
const NAME = /^([0-9a-f]+)\.(.+)$/;

/** The object of a request, and the id of its session there. */
interface SessionName {
  readonly object: string;
  readonly id: string;
}

/** The options of a Worker: those of its handlers, and its binding. */
export interface WorkerOptions<Env> extends FetchHandlerOptions {
  /** The binding to the class `Sessions`, as `wrangler.toml` names it. */
  readonly objects: (env: Env) => ObjectNamespace | undefined;
}

const WORKER_OPTIONS = { ...ADDRESSED_OPTIONS, objects: OPTION_RULES.function };

/** The default export of a Worker. */
export interface Worker<Env> {
  fetch(request: Request, env: Env): Promise<Response>;
  /** The class of its Durable Objects, for the Worker to export by this name. */
  readonly Sessions: SessionObjectClass;
}

/**
 * Makes a Worker. Requests of revision 2026-07-28 are answered where they arrive. A client that initializes gets a Durable Object, which
 * serves its session: its questions, its streams and its cancellations. The session stays in the storage of the object until its idle time
 * is over, also if the platform removes the object from memory.
 * @param open makes a server with the options that it gets: `createServer({ name, version, features, ...options })`
 * @throws SigilError for options that cannot be used
 * @example const worker = createWorker((options) => createServer({ name, version, features, ...options }), { objects: (env: Env) => env.SESSIONS });
 * @see https://developers.cloudflare.com/durable-objects/
 */
export function createWorker<Env>(open: OpenServer, given: WorkerOptions<Env>): Worker<Env> {
  requireOptions('createWorker', given, WORKER_OPTIONS);
  const { objects, ...options } = given;
  const address = (request: Request): string | undefined => request.headers.get('cf-connecting-ip') ?? undefined;
  const handlerOptions = { address, ...options };
  const handle = createCheckedHandler(open({}), handlerOptions);
  return {
    Sessions: sessionObjectClass(open, handlerOptions),
    fetch: async (request, env) => {
      // Objects cost memory and money: what is refused gets none, and wakes none.
      const isServed = mayNeedSession(request) && (await handle.admits(request));
      const target = isServed ? await targetOf(request, () => namespaceOf(objects(env))) : undefined;
      if (!target) return handle(request);
      return withName(await target.namespace.get(target.object).fetch(target.request), target.object);
    },
  };
}

/** Every request of a revision without sessions names its method. */
function mayNeedSession({ method, headers }: Request): boolean {
  return headers.has('mcp-session-id') || (method === 'POST' && !headers.has('mcp-method'));
}

/** The object that serves a request, and the request as it gets it. */
interface ObjectRequest {
  readonly namespace: ObjectNamespace;
  readonly object: ObjectId;
  readonly request: Request;
}

/** Undefined for requests that no session is needed for, and for sessions that do not exist: the Worker itself answers them. */
async function targetOf(request: Request, namespaceOf: () => ObjectNamespace): Promise<ObjectRequest | undefined> {
  if (!request.headers.has('mcp-session-id')) {
    if (!(await opensSession(request))) return undefined;
    const namespace = namespaceOf();
    return { namespace, object: namespace.newUniqueId(), request };
  }
  const name = sessionNameOf(request);
  if (request.method === 'OPTIONS' || !name) return undefined;
  const namespace = namespaceOf();
  const object = objectOf(namespace, name.object);
  return object && { namespace, object, request: withOwnId(request, name.id) };
}

/** The platform knows whether an id is one of its own. */
function objectOf(namespace: ObjectNamespace, id: string): ObjectId | undefined {
  try {
    return namespace.idFromString(id);
  } catch {
    return undefined;
  }
}

function namespaceOf(namespace: ObjectNamespace | undefined): ObjectNamespace {
  if (typeof namespace?.newUniqueId !== 'function') throw httpError('SIGIL_HTTP_OBJECTS');
  return namespace;
}

/** Undefined without a session, or with an id that no object has given. */
function sessionNameOf({ headers }: Request): SessionName | undefined {
  const [, object, id] = NAME.exec(headers.get(HEADER) ?? '') ?? [];
  return object === undefined || id === undefined ? undefined : { object, id };
}

/** The request as the object gets it. */
function withOwnId(request: Request, id: string): Request {
  const headers = new Headers(request.headers);
  headers.set(HEADER, id);
  return new Request(request, { headers });
}

/** The response as the client gets it. */
function withName(response: Response, object: ObjectId): Response {
  const id = response.headers.get(HEADER);
  if (id === null) return response;
  const named = new Response(response.body, response);
  named.headers.set(HEADER, `${object.toString()}.${id}`);
  return named;
}

/**
 * Reads a copy of the body, as far as a handshake may be long. The request can be read afterwards.
 *
 * Whether a request opens a session: only then it gets an object, because objects cost memory and money.
 */
async function opensSession(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  const text = await beginningOf(request.clone().body);
  return text !== undefined && methodIn(text) === 'initialize';
}

/** Undefined for a body that is longer, or breaks off. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  if (!body) return undefined;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let bytes = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.length;
      if (bytes > LONGEST) return void reader.cancel().catch(() => undefined);
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  }
}

function methodIn(text: string): unknown {
  const message = parseJson(text);
  return isObject(message) ? message['method'] : undefined;
}

/** Makes the class. Its server starts with the first request, so that an alarm alone starts none. */
function sessionObjectClass(open: OpenServer, options: FetchHandlerOptions): SessionObjectClass {
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
