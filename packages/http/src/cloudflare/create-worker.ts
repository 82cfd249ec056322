/** A Cloudflare Worker whose clients of revisions with a handshake have sessions, each in a Durable Object. */
import { OPTION_RULES, requireOptions } from '@sigil-mcp/core/adapter';
import { httpError } from '../errors';
import type { FetchHandlerOptions } from '../fetch';
import { createCheckedHandler } from '../fetch/create-fetch-handler';
import { ADDRESSED_OPTIONS } from '../options/endpoint-rules';
import type { ObjectId, ObjectNamespace } from './object-state';
import { opensSession } from './opens-session';
import { sessionNameOf, withName, withOwnId } from './session-name';
import { sessionObjectClass, type OpenServer, type SessionObjectClass } from './session-object';

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
interface Target {
  readonly namespace: ObjectNamespace;
  readonly object: ObjectId;
  readonly request: Request;
}

/** Undefined for requests that no session is needed for, and for sessions that do not exist: the Worker itself answers them. */
async function targetOf(request: Request, namespaceOf: () => ObjectNamespace): Promise<Target | undefined> {
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
