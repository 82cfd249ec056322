/** DELETE ends a session. */
import { andThen, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { RequestHandler, HttpCall } from '../call';
import type { EndpointServices } from '../endpoint-services';
import { readMessageContext, requireSession } from '../context/read-message-context';
import type { HttpResponse } from '../port';
import { methodNotAllowed } from '../refusals/refusal';

const ENDED: HttpResponse = { status: 204, headers: {} };

/** Makes the handler of DELETE. It throws a `Refusal` for a request that names no session, or rejects with one. */
export function deleteHandler(services: EndpointServices): RequestHandler {
  return (call) => handleDelete(call, services);
}

function handleDelete(call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const { sessions } = services;
  const context = readMessageContext(undefined, call, services);
  if (!sessions || context.standsAlone) throw methodNotAllowed('POST');
  return andThen(sessions.end(requireSession(context, call)), () => ENDED);
}
