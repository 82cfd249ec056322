/** GET opens the stream of a session, or continues one that broke. */
import { WEIGHTS, andThen, type MaybePromise } from '@sigil-mcp/core/adapter';
import { checkStreamAccepted } from '../checks/media-types';
import { clientOf } from '../exchange/client-loads';
import type { HttpCall } from '../exchange/http-exchange';
import { methodNotAllowed, refusal } from '../refusals/refusal';
import { orGiveBack } from '../sessions/holding';
import type { Resumption } from '../sessions/session-streams';
import type { SseStream } from '../streams/sse-stream';
import type { EndpointServices } from './endpoint-services';
import { readPlace, requireSession } from './place';

/** Makes the handler of GET. It throws a `Refusal` for a request without a session, or if there is no room for a stream. */
export function getHandler(services: EndpointServices): (call: HttpCall) => MaybePromise<void> {
  return (call) => handleGet(call, services);
}

function handleGet(call: HttpCall, services: EndpointServices): MaybePromise<void> {
  const { request, reply } = call;
  const place = readPlace(undefined, call, services);
  if (!services.sessions || place.standsAlone) throw methodNotAllowed('POST');
  checkStreamAccepted(request);
  const session = requireSession(place, call, services);
  const { http } = session.conversation.revision;
  if (!http.getStream) throw methodNotAllowed('POST, DELETE');
  const lastEventId = request.headers['last-event-id'];
  services.streams.checkRoom(clientOf(call));
  services.unread.check(call);
  const wait = () => openStream(call, true, services);
  if (lastEventId === undefined || !http.replay) return andThen(session.connectStandalone(wait), checkConnected);
  // A call that runs may be answered on it, which no other instance could do.
  const connect = () => openStream(call, services.shared !== undefined, services);
  const resumed = typeof lastEventId === 'string' ? session.resume(lastEventId, connect) : 'unknown';
  return andThen(resumed, (outcome) => {
    checkResumed(outcome);
    // What was missed of a stream that is over waits as any answer does.
    if (reply.raw.writableEnded) services.unread.hold(call);
  });
}

/** A stream ends with the token that opened it; what its session still has to say waits for the next one. */
function openStream(call: HttpCall, isWaiting: boolean, { streams, kernel, loads }: EndpointServices): SseStream {
  const client = clientOf(call);
  if (isWaiting) streams.checkWaiting();
  // Others may have been opened while it was looked up what this one begins with.
  streams.checkRoom(client);
  const giveBack = kernel.weight.take(loads.of(call), WEIGHTS.stream);
  const stream = orGiveBack(giveBack, () =>
    isWaiting ? streams.openWaiting(call.reply, client) : streams.open(call.reply, client),
  );
  stream.onClose(giveBack);
  stream.onClose(kernel.expiries.add(call.caller.expiresAt, () => stream.end()));
  return stream;
}

function checkConnected(isConnected: boolean): void {
  if (!isConnected) throw refusal(409, 'This session has an open stream already.');
}

function checkResumed(outcome: Resumption): void {
  if (outcome === 'unknown') throw refusal(400, 'Last-Event-ID names no event of this session.');
  if (outcome === 'gone')
    throw refusal(
      410,
      'What followed the event of this Last-Event-ID is not kept any more (limits.streamEvents, sessionEvents, events). Send the request again, or open a stream without the header.',
    );
}
