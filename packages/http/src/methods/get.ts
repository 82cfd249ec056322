/** GET opens the stream of a session, or continues one that broke. */
import type { MaybePromise } from '@sigil-mcp/core/adapter';
import { WEIGHTS, andThen } from '@sigil-mcp/core/internal';
import { checkStreamAccepted } from '../checks/head-checks';
import { clientOf, methodNotAllowed, refusal, sessionOver, streamed, type HttpCall } from '../call';
import type { HttpResponse } from '../port';
import { orGiveBack, type AskedStream } from '../streams/event-streams';
import type { EventStream } from '../streams/event-stream';
import type { ResumeOutcome } from '../streams/session-streams';
import { readMessageContext, requireSession, type EndpointServices } from '../endpoint-services';

/** Throws a `Refusal` for a request without a session, or if there is no room for a stream, or rejects with one. */
export function handleGet(call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const { request } = call;
  const context = readMessageContext(undefined, call, services);
  if (!services.sessions || context.standsAlone) throw methodNotAllowed('POST');
  checkStreamAccepted(request);
  const session = requireSession(context, call);
  const { http } = session.conversation.revision;
  if (!http.getStream) throw methodNotAllowed('POST, DELETE');
  const lastEventId = request.headers['last-event-id'];
  services.streams.checkRoom(clientOf(call, services.kernel.context.account));
  services.unread.check(call);
  let stream: EventStream | undefined;
  const isResumed = lastEventId !== undefined && http.replay;
  const kind = isResumed ? 'resumed' : 'get';
  const connect = (isWaiting: boolean): EventStream => (stream = openStream({ call, kind }, isWaiting, services));
  if (!isResumed) {
    return andThen(session.connectStandalone(connect), () => {
      if (!stream) throw sessionOver();
      return streamed(stream);
    });
  }
  const resumed = typeof lastEventId === 'string' ? session.resume(lastEventId, connect) : ('unknown' as const);
  return andThen(resumed, (outcome) => {
    checkResumed(outcome);
    if (!stream) throw sessionOver();
    // What was missed of a stream that is over waits as any answer does.
    return { ...streamed(stream), sent: (waiting) => services.unread.hold(call, waiting) };
  });
}

/** A stream ends with the token that opened it; what its session still has to say waits for the next one. */
function openStream(asked: AskedStream, isWaiting: boolean, { streams, kernel }: EndpointServices): EventStream {
  const { call } = asked;
  const client = clientOf(call, kernel.context.account);
  if (isWaiting) streams.checkWaiting();
  // Others may have been opened while it was looked up what this one begins with.
  streams.checkRoom(client);
  const giveBack = kernel.context.account.take(kernel.context.account.loadOf(client), 'streams', WEIGHTS.stream);
  const stream = orGiveBack(giveBack, () => (isWaiting ? streams.openWaiting(asked) : streams.open(asked)));
  stream.onClose(giveBack);
  stream.onClose(kernel.context.expiries.add(call.caller.expiresAt, () => stream.end('token-expired')));
  return stream;
}

function checkResumed(outcome: ResumeOutcome): void {
  if (outcome === 'unknown') throw refusal(400, 'Last-Event-ID names no event of this session.');
  if (outcome === 'gone')
    throw refusal(
      410,
      'What followed the event of this Last-Event-ID is not kept any more (limits.streamEvents, sessionEvents, events). Send the request again, or open a stream without the header.',
    );
}
