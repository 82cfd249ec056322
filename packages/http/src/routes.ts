/** The paths of an endpoint, and what serves their methods. */
import { type MaybePromise, andThen } from '@sigil-mcp/core/adapter';
import type { RequestHandler, HttpCall } from './call';
import type { BodyCheck } from './checks/check';
import { BODY_CHECKS, SSE_BODY_CHECKS } from './checks/checks-before-body';
import type { EndpointServices } from './endpoint-services';
import type { SseEndpoint } from './http-sse/sse-endpoint';
import { getHandler } from './methods/get';
import { postHandler } from './methods/post';
import type { EndpointSettings } from './options/endpoint-options';
import { revisionOf, readMessageContext, requireSession } from './context/read-message-context';
import type { HttpResponse } from './port';
import { methodNotAllowed } from './refusals/refusal';

const ENDED: HttpResponse = { status: 204, headers: {} };

/** The methods that a path may serve; every other one is answered with 405. */
export type ServedMethod = 'GET' | 'POST' | 'DELETE';

/**
 * Gets what a request needs before it is answered. What it returns, or resolves to, is done right before that: nobody else's turn comes in
 * between.
 */
export type Preparation = (call: HttpCall) => MaybePromise<(() => void) | undefined>;

/** One path of an endpoint. */
export interface Route {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<ServedMethod, RequestHandler>>>;
  /** What has to be there before a request is answered; undefined where nothing has. */
  readonly prepare: Preparation | undefined;
  /** The checks of a POST, made before its body is read. */
  readonly bodyChecks: readonly BodyCheck[];
  /** How the revision of a client writes the id of a request that could not be read. */
  readonly unreadableId: (call: HttpCall) => null | undefined;
}

/** The routes of an endpoint: that of Streamable HTTP, and those of HTTP+SSE if it is served. */
export function routesOf(
  { path, sse }: EndpointSettings,
  services: EndpointServices,
  old: SseEndpoint | undefined,
): readonly Route[] {
  const { sessions } = services;
  const streamable: Route = {
    path,
    methods: { POST: postHandler(services), GET: getHandler(services), DELETE: deleteHandler(services) },
    // The session that a request names is read, and added to the sessions of this process.
    prepare: sessions && ((call) => sessions.read(call)),
    bodyChecks: BODY_CHECKS,
    unreadableId: (call) => revisionOf(call, services).unreadableId,
  };
  if (!sse || !old) return [streamable];
  // Spoken by the oldest revision, whose messages always have an id.
  const common = { prepare: undefined, unreadableId: (): null => null };
  return [
    streamable,
    { path: sse.path, methods: { GET: (call) => old.get(call) }, ...common, bodyChecks: [] },
    {
      path: sse.messagesPath,
      methods: { POST: (call) => old.post(call) },
      ...common,
      bodyChecks: SSE_BODY_CHECKS,
    },
  ];
}

/** Makes the handler of DELETE. It throws a `Refusal` for a request that names no session, or rejects with one. */
function deleteHandler(services: EndpointServices): RequestHandler {
  return (call) => handleDelete(call, services);
}

function handleDelete(call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const { sessions } = services;
  const context = readMessageContext(undefined, call, services);
  if (!sessions || context.standsAlone) throw methodNotAllowed('POST');
  return andThen(sessions.end(requireSession(context, call)), () => ENDED);
}
