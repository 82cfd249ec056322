/** POST takes one message, or a batch if the revision has them. */
import {
  RunningCalls,
  andThen,
  batchRefusal,
  type MessageSource,
  type IncomingRequest,
  type MaybePromise,
} from '@sigil-mcp/core/adapter';
import { Denial } from '@sigil-mcp/core';
import type {
  InboundBatch,
  InboundMessage,
  InboundNotification,
  InboundRequest,
  InboundResponse,
  RequestId,
} from '@sigil-mcp/protocol';
import { checkStreamAccepted } from '../checks/head-checks';
import { checkHeaders } from '../checks/mirrored-headers';
import { readBody, type BodyMessage } from '../body/body-reader';
import { clientOf, type RequestHandler, type HttpCall } from '../call';
import { Refusal, refusal, denied, accepted } from '../responses';
import type { HttpResponse } from '../port';
import { holding } from '../sessions/holding';
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import type { EndpointServices } from '../endpoint-services';
import { readMessageContext, requireSession, type MessageContext } from '../context/read-message-context';

/** Makes the handler of POST. It throws a `Refusal` for what no handler of the server gets to see, or rejects with one. */
export function postHandler(services: EndpointServices): RequestHandler {
  return (call) => handlePost(call, services);
}

function handlePost(call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const message = readBody(call.body, services.kernel.limits);
  try {
    return take(message, call, services);
  } catch (error) {
    // The request was read, so its id is known, regardless of the reason for the refusal.
    const refused = error instanceof Denial ? denied(error) : error;
    throw refused instanceof Refusal && message.kind === 'request' ? refused.about(message.id) : refused;
  }
}

function take(message: BodyMessage, call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  if (message.kind === 'batch') return takeBatch(message, call, services);
  const context = readMessageContext(message, call, services);
  switch (message.kind) {
    case 'request':
      return takeRequest(message, context, { call, services });
    case 'notification':
      // One of a client without a session changes nothing.
      if (!services.sessions || context.standsAlone) return accepted(call);
      return takeFor(requireSession(context, call), message, { call, services });
    case 'response':
      return takeFor(requireSession(context, call), message, { call, services });
  }
}

/** A request over HTTP, and what it is answered with. */
interface Work {
  readonly call: HttpCall;
  readonly services: EndpointServices;
}

/** Takes what belongs to a session, and acknowledges it when every instance knows it that has to. */
function takeFor(
  session: Session,
  message: InboundNotification | InboundResponse,
  { call, services }: Work,
): MaybePromise<HttpResponse> {
  const { kernel, sessions } = services;
  if (message.kind === 'notification') kernel.notice(message, session.conversation);
  else session.conversation.lasting?.acceptResponse(message);
  const saved = andThen(sessions?.messages.passOn(session, message), () => session.save());
  return andThen(saved, () => accepted(call));
}

function takeRequest(
  request: InboundRequest,
  context: MessageContext,
  { call, services }: Work,
): MaybePromise<HttpResponse> {
  const { kernel, exchanges, sessions, streams, unread } = services;
  const session = needsSession(request, context) ? requireSession(context, call) : undefined;
  const incoming = kernel.open(request, session ?? connectionOf(context, call, services));
  checkHeaders(incoming, call.request, context.standsAlone);
  if (incoming.method?.isLasting) {
    checkStreamAccepted(call.request);
    streams.checkRoom(clientOf(call, kernel.account));
  }
  if (!incoming.method?.isUnlimited) unread.check(call);
  const { conversation, opens } = incoming.opening;
  if (opens && sessions && conversation.revision.http.sessions)
    return openSession(incoming, sessions, { call, services });
  const response = exchanges.answer(incoming, { conversation, call, session });
  if (session) sessions?.messages.begun(session, [request.id]);
  return response;
}

/** Whether a request belongs to a session that was opened before. */
function needsSession({ method }: InboundRequest, { standsAlone, hasSession, live }: MessageContext): boolean {
  return !standsAlone && hasSession && (method !== 'initialize' || live !== undefined);
}

/** The connection of a request that belongs to no session. */
function connectionOf(
  { version, hasSession }: MessageContext,
  call: HttpCall,
  { kernel }: EndpointServices,
): MessageSource {
  const running = new RunningCalls(kernel.account.loadOf(clientOf(call, kernel.account)));
  return { held: undefined, running, version, isStateless: !hasSession };
}

function openSession(
  incoming: IncomingRequest,
  sessions: Sessions,
  { call, services }: Work,
): MaybePromise<HttpResponse> {
  const { conversation } = incoming.opening;
  const { kernel, exchanges } = services;
  const { running } = conversation;
  const countedFor = clientOf(call, kernel.account);
  const session = holding(kernel, conversation, () =>
    sessions.open({ conversation, running, caller: call.caller, countedFor }),
  );
  call.answerHeaders = { 'mcp-session-id': session.id };
  return exchanges.answer(incoming, { conversation, call, session }, (answer) => {
    if (!answer?.failure) return;
    call.answerHeaders = undefined;
    sessions.giveUp(session);
  });
}

function takeBatch(batch: InboundBatch, call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const { kernel, exchanges, sessions, unread } = services;
  const context = readMessageContext(undefined, call, services);
  const isAlone = context.standsAlone || batch.messages.some((message) => kernel.conversations.standsAlone(message));
  const session = sessions && !isAlone ? requireSession(context, call) : undefined;
  const connection = session ?? batchConnectionOf(context, call, services);
  const error = batchRefusal(batch, connection, kernel);
  if (error instanceof Denial) throw error;
  if (error || !connection.held) throw refusal(400, error?.message ?? 'The batch belongs to no session.');
  unread.check(call);
  const setting = { conversation: connection.held, call, session };
  const passedOn = session && sessions?.messages.passOnAll(session, batch.messages);
  return andThen(passedOn, () => {
    const response = exchanges.answerBatch(batch, connection, setting);
    if (session) sessions?.messages.begun(session, batch.messages.flatMap(idOf));
    return response;
  });
}

/** The connection of a batch that belongs to no session: all of its members are answered in one conversation. */
function batchConnectionOf({ version }: MessageContext, call: HttpCall, { kernel }: EndpointServices): MessageSource {
  const running = new RunningCalls(kernel.account.loadOf(clientOf(call, kernel.account)));
  return { held: kernel.conversations.openStateless(version, running), running };
}

function idOf(message: InboundMessage): readonly RequestId[] {
  return message.kind === 'request' ? [message.id] : [];
}
