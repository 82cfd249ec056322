/** DELETE ends a session. */
import { andThen, endedCall, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { HttpCall } from '../exchange/http-exchange';
import { methodNotAllowed } from '../refusals/refusal';
import type { EndpointServices } from './endpoint-services';
import { readPlace, requireSession } from './place';

/** Makes the handler of DELETE. It throws a `Refusal` for a request that names no session. */
export function deleteHandler(services: EndpointServices): (call: HttpCall) => MaybePromise<void> {
  return (call) => handleDelete(call, services);
}

function handleDelete(call: HttpCall, services: EndpointServices): MaybePromise<void> {
  const { sessions, shared } = services;
  const place = readPlace(undefined, call, services);
  if (!sessions || place.standsAlone) throw methodNotAllowed('POST');
  const session = requireSession(place, call, services);
  const ended = shared ? shared.end(session) : sessions.close(session, endedCall('SIGIL_SESSION_ENDED'));
  return andThen(ended, () => void call.reply.code(204).send());
}
