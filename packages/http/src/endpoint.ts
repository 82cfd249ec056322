/** One MCP endpoint over HTTP: the parts that serve it, its routes, and its end. */
import { endedCall, settleWithin, type TransportHost, type MaybePromise } from '@sigil-mcp/core/adapter';
import { andThen } from '@sigil-mcp/core/internal';
import type { Arrivals } from './arrivals';
import { Challenges, Gate, VerifyDeadline } from './authorization';
import type { BodyLimits } from './body/body-reader';
import { type CheckedEndpoint, type BodyCheck, BODY_CHECKS, SSE_BODY_CHECKS } from './checks/head-checks';
import { type PublicDocument, healthDocuments, type Readiness, metadataDocuments } from './documents';
import {
  readMessageContext,
  requireSession,
  revisionOf,
  RunningExchanges,
  UnreadAnswers,
  type EndpointServices,
} from './endpoint-services';
import { ForwardedMessages, type TakeForwarded } from './http-sse/forwarded-messages';
import { SseEndpoint } from './http-sse/sse-endpoint';
import { likelyInstances, type EndpointSettings } from './options/endpoint-options';
import type { ResourceUri } from './options/auth-settings';
import { Sessions } from './sessions/sessions';
import { EventStreams } from './streams/event-streams';
import { methodNotAllowed, type HttpCall, type RequestHandler } from './call';
import { handleGet } from './methods/get';
import { postHandler } from './methods/post';
import type { HttpResponse } from './port';

/** How many entries the warning names. */
const NAMED = 5;

/** What an adapter knows of the place that it serves an endpoint at. */
export interface Surroundings {
  /** In front of all paths, as `/api`; empty without one. */
  readonly prefix: string;
  /** Whether only programs of this machine can connect; undefined as long as it is not known, and they are assumed to be. */
  readonly isLoopback: () => boolean | undefined;
  /** Whether each of its requests identifies its caller itself; false if left out. */
  readonly identifies?: boolean;
  readonly arrivals: Arrivals;
}

/** Milliseconds that clients have to read the end of their streams and of their answers. */
const LAST_BYTES = 1000;

/** One endpoint. */
export class Endpoint {
  readonly services: EndpointServices;
  readonly routes: readonly Route[];
  readonly documents: readonly PublicDocument[];
  readonly readiness: Readiness;
  readonly bodies: BodyLimits;
  /** The time that the identification of a caller may take. */
  readonly deadline: VerifyDeadline;
  /** Undefined where nobody is authenticated. */
  readonly gate: Gate | undefined;
  readonly #sse: SseEndpoint | undefined;
  #checked: CheckedEndpoint | undefined;

  constructor(
    readonly host: TransportHost,
    readonly settings: EndpointSettings,
    private readonly surroundings: Surroundings,
  ) {
    const { kernel, logger, clock } = host;
    const { auth, limits, bodyLimit } = settings;
    if (!auth && surroundings.identifies !== true) host.serveAnybody();
    this.services = openServices(host, settings, surroundings.prefix);
    const { sessions } = this.services;
    if (isAlone(host)) {
      if (sessions) warnOfOthers(logger);
      warnOfRestart(host, process.env);
    }
    this.#sse = openSse(host, settings, { prefix: surroundings.prefix, services: this.services });
    this.readiness = { isReady: true, isOpen: true, awaySince: () => host.instance.awaySince };
    this.routes = routesOf(settings, this.services, this.#sse);
    this.documents = [
      ...(settings.health
        ? healthDocuments(this.readiness, settings.tellsMemory ? () => kernel.memory : undefined)
        : []),
      ...(auth ? metadataDocuments(auth) : []),
    ];
    this.bodies = { account: kernel.context.account, bodyLimit };
    this.deadline = new VerifyDeadline(limits.verifyTimeout, logger, clock);
    this.gate = auth && new Gate(auth, () => kernel.admitsWithoutToken, this.deadline);
  }

  /** In front of all paths, as `/api`; empty without one. */
  get prefix(): string {
    return this.surroundings.prefix;
  }

  /** What the checks of the head know. */
  get checked(): CheckedEndpoint {
    if (this.#checked) return this.#checked;
    const { settings, readiness, surroundings } = this;
    const isLoopback = surroundings.isLoopback();
    const checked = { settings, readiness, isLoopback: isLoopback ?? true, knownHosts: new Set<string>() };
    if (isLoopback !== undefined) this.#checked = checked;
    return checked;
  }

  /**
   * Is not ready from now on. What has come, and what still comes, finishes within the server's deadline; then streams and sessions end.
   * @param silence milliseconds, at most, that connections are left open on which nothing comes; none if left out
   */
  async close(silence = 0): Promise<void> {
    const { readiness, services } = this;
    const { exchanges, sessions, streams, unread } = services;
    readiness.isReady = false;
    streams.endWaiting();
    await settleWithin(this.host.shutdownDeadline, this.#finish(silence));
    readiness.isOpen = false;
    const reason = endedCall('SIGIL_SHUTTING_DOWN');
    exchanges.cancelAll(reason);
    this.#sse?.close(reason);
    sessions?.close(reason);
    // Calls that are cut off get their errors before their streams end.
    await settleWithin(
      LAST_BYTES,
      exchanges.drain().then(() => sessions?.drain()),
    );
    await Promise.all([streams.closeAll(LAST_BYTES), unread.sent(LAST_BYTES)]);
    unread.stopCounting();
  }

  /** Resolves when everything is answered that has come, and that came meanwhile. */
  async #finish(silence: number): Promise<void> {
    const { arrivals } = this.surroundings;
    const { exchanges } = this.services;
    for (let requests = -1; requests !== arrivals.requestsSince;) {
      requests = arrivals.requestsSince;
      do {
        await arrivals.allHandled();
        await Promise.all([exchanges.drain(), this.#sse?.drain()]);
      } while (arrivals.isArriving || exchanges.areRunning);
      if (silence > 0) await settleWithin(silence, arrivals.idleOnesGone());
    }
  }
}

function openServices(host: TransportHost, settings: EndpointSettings, prefix: string): EndpointServices {
  const { kernel, logger, clock } = host;
  const { limits, keepAliveInterval, auth, stream: mode } = settings;
  const { observers } = kernel.context;
  const streams = new EventStreams({ keepAliveInterval, limits, clock, observers, account: kernel.context.account });
  const challenges = auth && new Challenges(auth);
  const sessions = openSessions(host, settings, { prefix, challenges });
  const unread = new UnreadAnswers(limits, kernel.context.account);
  return { kernel, logger, exchanges: new RunningExchanges(), streams, sessions, unread, challenges, mode };
}

function openSessions(
  { instance, kernel, clock }: TransportHost,
  { sessions, retryInterval, limits, path }: EndpointSettings,
  { prefix, challenges }: { readonly prefix: string; readonly challenges: Challenges | undefined },
): Sessions | undefined {
  if (!sessions) return undefined;
  const { idleTime } = sessions;
  return new Sessions({
    instance,
    kernel,
    clock,
    idleTime,
    retryInterval,
    limits,
    endpoint: `${prefix}${path}`,
    challenges,
  });
}

function openSse(
  { instance, clock }: TransportHost,
  { sse, limits, sessions, path, auth }: EndpointSettings,
  { prefix, services }: { readonly prefix: string; readonly services: EndpointServices },
): SseEndpoint | undefined {
  if (!sse) return undefined;
  const { kernel, streams } = services;
  const { unreadPerClient } = limits;
  const messagesPath = `${prefix}${sse.messagesPath}`;
  const idleTime = sessions?.idleTime ?? Infinity;
  const forward = (take: TakeForwarded): ForwardedMessages =>
    new ForwardedMessages({ instance, clock, endpoint: messagesPath, idleTime, take });
  // Relative to the stream it would need no setting, but some clients resolve it against an address without a path.
  const publicPath = sse.publicMessagesPath ?? `${takenOff(auth?.resource, `${prefix}${path}`)}${messagesPath}`;
  return new SseEndpoint({ kernel, streams, unreadPerClient, publicPath, forward });
}

/** What a proxy takes off the path that clients know: the beginning of that of the resource, if it ends as the endpoint does. */
function takenOff(resource: ResourceUri | undefined, path: string): string {
  return resource?.path.endsWith(path) ? resource.path.slice(0, -path.length) : '';
}

/** Whether nobody else can read the sessions of this process. */
function isAlone({ instance }: TransportHost): boolean {
  return instance.stores.sessions.release !== undefined;
}

/** A session that only this process can read does not exist for requests that reach another one. */
function warnOfOthers(logger: TransportHost['logger']): void {
  const reason = likelyInstances(process.env);
  if (reason === undefined) return;
  logger.warn(
    { reason },
    'Sessions are stored in this process, and there are probably several processes: requests that reach another one are answered as if their session had ended. Pass createServer({ stores }), for example redis({ client }) of @sigil-mcp/redis, or HttpTransport({ sessions: false }). See docs/deployment.md.',
  );
}

/** Warns in production, where a process is restarted while clients are in the middle of something. */
function warnOfRestart(
  { lostByRestart = [], logger }: Pick<TransportHost, 'lostByRestart' | 'logger'>,
  environment: NodeJS.ProcessEnv,
): void {
  if (environment['NODE_ENV'] !== 'production' || lostByRestart.length === 0) return;
  const more = lostByRestart.length > NAMED ? `, and ${lostByRestart.length - NAMED} more` : '';
  const names = lostByRestart.slice(0, NAMED).join(', ') + more;
  logger.warn(
    {},
    `SIGIL_SECRETS is not set: questions and pages of ${names} that clients have not finished do not survive a restart of this process. Set it to one value of 32 characters or more.`,
  );
}

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
function routesOf(
  { path, sse }: EndpointSettings,
  services: EndpointServices,
  old: SseEndpoint | undefined,
): readonly Route[] {
  const { sessions } = services;
  const streamable: Route = {
    path,
    methods: {
      POST: postHandler(services),
      GET: (call) => handleGet(call, services),
      DELETE: (call) => handleDelete(call, services),
    },
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

/** DELETE ends a session. Throws a `Refusal` for a request that names no session, or rejects with one. */
function handleDelete(call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const { sessions } = services;
  const context = readMessageContext(undefined, call, services);
  if (!sessions || context.standsAlone) throw methodNotAllowed('POST');
  return andThen(sessions.end(requireSession(context, call)), () => ENDED);
}
