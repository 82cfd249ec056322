/** Puts an endpoint into a Fastify app, and takes it down again. */
import { endedCall, settleWithin, type TransportHost } from '@sigil-mcp/core/adapter';
import type { FastifyInstance } from 'fastify';
import { AppConnections } from './app-connections';
import { ArrivingBodies } from './arriving-bodies';
import { registerCheckedScope, type CheckedPath, type CheckedScopeInit } from './checked-scope';
import { BODY_CHECKS, SSE_BODY_CHECKS } from '../checks/head-checks';
import { deleteHandler } from './delete';
import type { EndpointServices } from './endpoint-services';
import { getHandler } from './get';
import { revisionOf } from './place';
import { postHandler } from './post';
import type { EndpointSettings } from '../options/endpoint-options';
import { likelyInstances } from '../options/likely-instances';
import { ClientLoads } from '../exchange/client-loads';
import type { HttpCall } from '../exchange/http-exchange';
import { Exchanges } from '../exchange/exchanges';
import { UnreadAnswers } from '../exchange/unread-answers';
import { Connections } from '../streams/connections';
import { SseStreams } from '../streams/sse-streams';
import { Challenges } from '../authorization/challenges';
import { registerMetadata } from '../authorization/resource-metadata';
import { registerHealth, type Readiness } from './health';
import { ForwardedMessages, type TakeForwarded } from '../http-sse/forwarded-messages';
import { SseEndpoint } from '../http-sse/sse-endpoint';
import { SessionTable } from '../sessions/session-table';
import { SharedSessions } from '../shared/shared-sessions';

/** A registered endpoint, for the code that closes it. */
export interface OpenEndpoint {
  /** The app takes no more connections, and those that are open end with their next answers. */
  refuseConnections(): Promise<void>;
  /**
   * Is not ready from now on. What has come, and what still comes, finishes within the server's deadline; then streams and sessions end.
   * @param silence milliseconds, at most, that connections are left open on which nothing comes; none if left out
   */
  close(silence?: number): Promise<void>;
}

/** Milliseconds that clients have to read the end of their streams and of their answers. */
const LAST_BYTES = 1000;

/** Registers the routes of one endpoint, with their checks; resolves when they are registered. */
export async function registerEndpoint(
  app: FastifyInstance,
  host: TransportHost,
  settings: EndpointSettings,
): Promise<OpenEndpoint> {
  const { kernel, logger, clock } = host;
  if (!settings.auth) host.serveAnybody();
  const opened = openServices(app, host, settings);
  if (opened.sessions && !opened.shared) warnOfOthers(logger);
  const { services, sse, readiness } = opened;
  if (settings.health) registerHealth(app, readiness);
  if (settings.auth) registerMetadata(app, settings.auth);
  const paths = [...streamablePaths(services, settings), ...ssePaths(sse, settings)];
  const admitsStrangers = (): boolean => kernel.admitsStrangers;
  const unreadableId = unreadableIds(services, app.prefix, settings);
  const prepare = opened.shared && ((call: HttpCall) => opened.shared?.look(call));
  await registerCheckedScope(app, {
    settings,
    logger,
    clock,
    bodies: opened.bodies,
    readiness,
    admitsStrangers,
    paths,
    prepare,
    unreadableId,
  });
  return {
    refuseConnections: () => {
      readiness.isReady = false;
      return opened.connections.refuseMore();
    },
    close: (silence = 0) => close(opened, host, silence),
  };
}

/** A session that only this process knows does not exist for requests that reach another instance. */
function warnOfOthers(logger: TransportHost['logger']): void {
  const reason = likelyInstances(process.env);
  if (reason === undefined) return;
  logger.warn(
    { reason },
    'Sessions are stored in this process, and there are probably several processes: requests that reach another one are answered as if their session had ended. Pass createServer({ stores }), for example redis({ client }) of @sigil-mcp/redis, or HttpTransport({ sessions: false }). See docs/deployment.md.',
  );
}

/** The parts of an endpoint, for the code that closes it. */
interface Opened extends Pick<EndpointServices, 'exchanges' | 'streams' | 'sessions' | 'shared' | 'unread'> {
  readonly services: EndpointServices;
  readonly sse: SseEndpoint | undefined;
  readonly readiness: Readiness;
  readonly connections: AppConnections;
  readonly bodies: ArrivingBodies;
}

function openServices(app: FastifyInstance, host: TransportHost, settings: EndpointSettings): Opened {
  const { kernel, logger, instance, clock } = host;
  const connections = new Connections();
  const { limits, retryInterval, keepAliveInterval } = settings;
  const streams = new SseStreams({ keepAliveInterval, connections, limits, clock });
  const loads = new ClientLoads();
  const shared = sharedSessionsOf(host, loads, app.prefix, settings);
  const sessions =
    shared?.table ?? (settings.sessions && new SessionTable({ ...settings.sessions, retryInterval, limits, clock }));
  const unread = new UnreadAnswers(limits, connections);
  const challenges = settings.auth && new Challenges(settings.auth);
  const [mode, hasSessions] = [settings.stream, sessions !== undefined];
  const exchanges = new Exchanges({ kernel, logger, streams, connections, unread, challenges, mode, hasSessions });
  const services = { kernel, exchanges, streams, sessions, shared, unread, loads };
  const sse = sseEndpointOf({ kernel, streams, loads }, host, app.prefix, settings);
  const readiness = { isReady: true, isOpen: true, awaySince: () => instance?.awaySince };
  const appConnections = new AppConnections(app.server);
  return {
    services,
    exchanges,
    streams,
    sessions,
    shared,
    unread,
    sse,
    readiness,
    connections: appConnections,
    bodies: new ArrivingBodies(appConnections, loads, { weight: kernel.weight, bodyLimit: settings.bodyLimit }),
  };
}

async function close(opened: Opened, { shutdownDeadline }: TransportHost, silence: number): Promise<void> {
  const { readiness, exchanges, sse, shared, sessions, streams, unread } = opened;
  readiness.isReady = false;
  streams.endWaiting();
  await settleWithin(shutdownDeadline, finish(opened, silence));
  readiness.isOpen = false;
  const reason = endedCall('SIGIL_SHUTTING_DOWN');
  exchanges.cancelAll(reason);
  sse?.close(reason);
  if (shared) shared.close(reason);
  else sessions?.closeAll(reason);
  // Calls that are cut off get their errors before their streams end.
  await settleWithin(
    LAST_BYTES,
    exchanges.drain().then(() => shared?.drain()),
  );
  await Promise.all([streams.closeAll(LAST_BYTES), unread.sent(LAST_BYTES)]);
}

/** Resolves when everything is answered that has come, and that came meanwhile. */
async function finish({ connections, exchanges, sse }: Opened, silence: number): Promise<void> {
  for (let requests = -1; requests !== connections.requestsSince;) {
    requests = connections.requestsSince;
    do {
      await connections.allHandled();
      await Promise.all([exchanges.drain(), sse?.drain()]);
    } while (connections.isArriving || exchanges.areRunning);
    if (silence > 0) await settleWithin(silence, connections.idleOnesGone());
  }
}

function sharedSessionsOf(
  { instance, kernel, clock }: TransportHost,
  loads: ClientLoads,
  prefix: string,
  { sessions, retryInterval, limits, path }: EndpointSettings,
): SharedSessions | undefined {
  if (!instance || !sessions) return undefined;
  const policy = { ...sessions, retryInterval, limits, clock };
  return new SharedSessions({ instance, kernel, loads, policy, endpoint: `${prefix}${path}` });
}

function sseEndpointOf(
  services: Pick<EndpointServices, 'kernel' | 'streams' | 'loads'>,
  { instance, clock }: TransportHost,
  prefix: string,
  { sse, limits, sessions }: EndpointSettings,
): SseEndpoint | undefined {
  if (!sse) return undefined;
  const { unreadPerClient } = limits;
  const messagesPath = `${prefix}${sse.messagesPath}`;
  const forward =
    instance &&
    ((take: TakeForwarded) =>
      new ForwardedMessages({
        instance,
        clock,
        endpoint: messagesPath,
        idleTime: sessions?.idleTime ?? Infinity,
        take,
      }));
  return new SseEndpoint({ ...services, unreadPerClient, messagesPath, forward });
}

/** HTTP+SSE is spoken by the oldest revision, whose messages always have an id. */
function unreadableIds(
  services: EndpointServices,
  prefix: string,
  { sse }: EndpointSettings,
): CheckedScopeInit['unreadableId'] {
  const messages = sse && `${prefix}${sse.messagesPath}`;
  return (call) => (call.request.routeOptions.url === messages ? null : revisionOf(call, services).unreadableId);
}

function streamablePaths(services: EndpointServices, { path }: EndpointSettings): CheckedPath[] {
  const methods: CheckedPath['methods'] = {
    POST: postHandler(services),
    GET: getHandler(services),
    DELETE: deleteHandler(services),
  };
  return [{ path, methods, bodyChecks: BODY_CHECKS }];
}

function ssePaths(endpoint: SseEndpoint | undefined, { sse }: EndpointSettings): CheckedPath[] {
  if (!endpoint || !sse) return [];
  return [
    { path: sse.path, methods: { GET: (call) => endpoint.get(call) }, bodyChecks: [] },
    { path: sse.messagesPath, methods: { POST: (call) => endpoint.post(call) }, bodyChecks: SSE_BODY_CHECKS },
  ];
}
