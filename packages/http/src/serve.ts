/**
 * The life of a request, from its head to its response. An adapter whose app has stages of its own calls `admit` in one of them; for
 * all others `serve` does everything.
 */
import type { Caller } from '@sigil-mcp/core';
import type { MaybePromise } from '@sigil-mcp/core/adapter';
import { andThen, isPromise } from '@sigil-mcp/core/internal';
import { BodyReader, readWhole } from './body/body-reader';
import { HttpCall, methodNotAllowed, pathOf, refusal, refusalOf, refused, reportRefusal, type Refusal } from './call';
import { checkAccepting, HEAD_CHECKS } from './checks/head-checks';
import type { PublicDocument } from './documents';
import type { Endpoint, Route, ServedMethod } from './endpoint';
import type { HttpRequest, HttpResponse } from './port';

/**
 * Checks the head of a request and identifies its caller, before a byte of its body is read.
 * @throws Refusal and Denial, or rejects with one
 */
export function admit(call: HttpCall, route: Route, endpoint: Endpoint): MaybePromise<void> {
  const { request } = call;
  const { checked, gate } = endpoint;
  checkAccepting(checked);
  for (const check of HEAD_CHECKS) check(request, checked);
  const found = request.identify ? inTime(request.identify(), request, endpoint) : gate?.admit(request);
  if (found === undefined) return checkBodyHead(call, route);
  return andThen(found, (caller) => {
    call.caller = caller;
    checkBodyHead(call, route);
  });
}

/** Whether a request would be read: for programs that make something for it first. Its answer, if not, is that of `serve`. */
export async function isAdmitted(request: HttpRequest, endpoint: Endpoint): Promise<boolean> {
  const route = routeAt(endpoint, pathOf(request.target));
  if (!route?.methods[request.method as ServedMethod]) return false;
  try {
    await admit(new HttpCall(request), route, endpoint);
    return true;
  } catch {
    return false;
  }
}

/** A caller that the program around the endpoint identifies, which has as long as `verify`. */
function inTime(found: MaybePromise<Caller>, request: HttpRequest, { deadline }: Endpoint): MaybePromise<Caller> {
  return isPromise(found) ? deadline.of(found, request) : found;
}

/** Answers a request. Never throws or rejects. */
export async function serve(request: HttpRequest, endpoint: Endpoint): Promise<HttpResponse> {
  const path = pathOf(request.target);
  const route = routeAt(endpoint, path);
  if (!route) return serveDocument(request, path, endpoint);
  const call = new HttpCall(request);
  try {
    const answerer = route.methods[request.method as ServedMethod];
    if (!answerer) {
      checkAccepting(endpoint);
      throw methodNotAllowed(Object.keys(route.methods).join(', '));
    }
    await admit(call, route, endpoint);
    if (request.body) call.body = await readWhole(request.body, new BodyReader(call, endpoint.bodies));
    // Nothing is begun any more that could only be cut off.
    checkAccepting(endpoint);
    const prepared = route.prepare?.(call);
    // What is prepared at once is there now, and may not be after a turn.
    const finish = isPromise(prepared) ? await prepared : prepared;
    finish?.();
    return await answerer(call);
  } catch (error) {
    const found = refuse(error, call, endpoint);
    return refused(found.id === undefined ? found.about(route.unreadableId(call)) : found);
  } finally {
    call.closeBody?.();
  }
}

/** Whether an endpoint serves something under the path of a target. */
export function hasPath(endpoint: Endpoint, target: string): boolean {
  const path = pathOf(target);
  return (routeAt(endpoint, path) ?? documentAt(endpoint, path)) !== undefined;
}

function routeAt({ routes, prefix }: Endpoint, path: string): Route | undefined {
  return routes.find((one) => `${prefix}${one.path}` === path);
}

function documentAt({ documents, prefix }: Endpoint, path: string): PublicDocument | undefined {
  return documents.find((one) => (one.isAtRoot ? one.path : `${prefix}${one.path}`) === path);
}

async function serveDocument(request: HttpRequest, path: string, endpoint: Endpoint): Promise<HttpResponse> {
  const found = documentAt(endpoint, path);
  try {
    if (!found) throw refusal(404, 'There is nothing under this path.');
    if (request.method === 'OPTIONS' && found.options) return found.options();
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    const response = await found.get(request);
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response;
  } catch (error) {
    return refused(refuse(error, new HttpCall(request), endpoint));
  }
}

/** The refusal of a request that has failed, which observers are told. */
function refuse(error: unknown, call: HttpCall, { host }: Endpoint): Refusal {
  const refusal = refusalOf(error, host.logger);
  const { observers } = host.kernel.context;
  if (observers) reportRefusal({ refusal, error }, call, observers);
  return refusal;
}

function checkBodyHead({ request }: HttpCall, { bodyChecks }: Route): void {
  if (request.method === 'POST') for (const check of bodyChecks) check(request);
}
