/** A Fastify scope in which every request is checked before its body is read, and every failure has a JSON-RPC body. */
import type { Caller, Clock, Logger } from '@sigil-mcp/core';
import { ANONYMOUS, isPromise, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gate } from '../authorization/gate';
import { VerifyDeadline } from '../authorization/verify-deadline';
import { isBoundToLoopback } from '../options/bound-addresses';
import type { BodyCheck, CheckedEndpoint } from '../checks/check';
import { HEAD_CHECKS } from '../checks/head-checks';
import { checkOpen } from '../checks/open';
import type { AuthSettings } from '../options/auth-settings';
import type { ArrivingBodies } from './arriving-bodies';
import { registerCors } from './cors';
import type { EndpointSettings } from '../options/endpoint-options';
import type { HttpCall } from '../exchange/http-exchange';
import { methodNotAllowed } from '../refusals/refusal';
import { writeErrors } from '../refusals/write-errors';

/** What a method of a path does: it throws a `Refusal`, or rejects with one, or sees to the reply itself. */
export type RouteHandler = (call: HttpCall) => MaybePromise<void>;

/**
 * Gets what a request needs before it is handled. What it returns, or resolves to, is done right before that: nobody else's turn comes in
 * between.
 */
export type Preparation = (call: HttpCall) => MaybePromise<(() => void) | undefined>;

/** One path and what it serves; every other method of it is answered with 405. */
export interface CheckedPath {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', RouteHandler>>>;
  /** The checks of a POST, made before its body is read. */
  readonly bodyChecks: readonly BodyCheck[];
}

/** What the scope needs to know. */
export interface CheckedScopeInit {
  readonly settings: EndpointSettings;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Reads the bodies of requests that pass the checks of their heads, and is notified when a request has arrived and been handled. */
  readonly bodies: ArrivingBodies;
  readonly readiness: CheckedEndpoint['readiness'];
  /** Whether callers without a token may come in. */
  readonly admitsStrangers: () => boolean;
  readonly paths: readonly CheckedPath[];
  /** What has to be there before a request is handled that has passed the checks; undefined where nothing has. */
  readonly prepare: Preparation | undefined;
  /** How the client's revision writes the id of a request that could not be read. */
  readonly unreadableId: (call: Pick<HttpCall, 'request' | 'caller'>) => null | undefined;
}

/** Registers paths in a scope of their own: parsers, hooks and error handlers of the rest of the app stay as they are. */
export async function registerCheckedScope(
  app: FastifyInstance,
  { settings, logger, clock, bodies, readiness, admitsStrangers, paths, prepare, unreadableId }: CheckedScopeInit,
): Promise<void> {
  const openGate = (auth: AuthSettings): Gate =>
    new Gate(auth, admitsStrangers, new VerifyDeadline(settings.limits.verifyTimeout, logger, clock));
  await app.register(async (scope) => {
    const cors = await registerCors(scope, settings.allowedOrigins);
    const callers = settings.auth && new WeakMap<FastifyRequest, Caller>();
    const callOf = (request: FastifyRequest) => ({ request, caller: callers?.get(request) ?? ANONYMOUS });
    const refuse = writeErrors({
      logger,
      clock,
      bodyLimit: settings.bodyLimit,
      isHosted: true,
      unreadableId: (request) => unreadableId(callOf(request)),
    });
    scope.setErrorHandler((error: Error, request, reply) => {
      bodies.handled(reply);
      return refuse(error, request, reply);
    });
    scope.removeAllContentTypeParsers();
    // By its name, which is found fastest, and for every other type that passes the checks of the head.
    for (const type of ['application/json', '*']) {
      scope.addContentTypeParser(type, (request, payload, done) => bodies.read(callOf(request), payload, done));
    }
    const head = headOf(scope, { settings, readiness });
    const gate = settings.auth && callers && gateHook(openGate(settings.auth), callers);
    if (prepare) addPreparation(scope, prepare, callers);
    for (const path of paths) registerPath(scope, path, { config: { cors }, callers, bodies, head, gate });
  });
}

interface RouteSettings {
  readonly config: object;
  /** Undefined where nobody is authenticated. */
  readonly callers: WeakMap<FastifyRequest, Caller> | undefined;
  readonly bodies: CheckedScopeInit['bodies'];
  readonly head: () => CheckedEndpoint;
  /** Undefined where nobody is authenticated. */
  readonly gate: Hook | undefined;
}

function registerPath(
  scope: FastifyInstance,
  { path, methods, bodyChecks }: CheckedPath,
  { config, callers, bodies, head, gate }: RouteSettings,
): void {
  const allow = Object.keys(methods).join(', ');
  const refused = scope.supportedMethods.filter((method) => !(method in methods));
  for (const [method, serve] of Object.entries(methods)) {
    const handler = (request: FastifyRequest, reply: FastifyReply): MaybePromise<FastifyReply | void> => {
      // Nothing is begun any more that could only be cut off.
      checkOpen(request, head());
      const served = serve({ request, reply, caller: callers?.get(request) ?? ANONYMOUS });
      // What has resolved may be answered later: without the reply Fastify would answer with nothing.
      if (isPromise(served))
        return served.then(() => {
          bodies.handled(reply);
          return reply;
        });
      bodies.handled(reply);
    };
    const onRequest = checkHooks({ head, gate, bodies }, method === 'POST' ? bodyChecks : []);
    scope.route({ method, url: path, exposeHeadRoute: false, config, handler, onRequest });
  }
  const refuse = (): never => {
    throw methodNotAllowed(allow);
  };
  // Before a byte of the body is read. A preflight was answered by the CORS hook before.
  const onRequest = (request: FastifyRequest): void => {
    checkOpen(request, head());
    refuse();
  };
  scope.route({ method: refused, url: path, config, handler: refuse, onRequest });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** One hook for all checks that nothing comes between: each would cost its own turn through Fastify's runner. */
function checkHooks(
  { head, gate, bodies }: Pick<RouteSettings, 'head' | 'gate' | 'bodies'>,
  bodyChecks: readonly BodyCheck[],
): Hook[] {
  type ReplyCheck = (request: FastifyRequest, reply: FastifyReply) => void;
  const checkHead: ReplyCheck = (request, reply) => {
    const endpoint = head();
    for (const check of HEAD_CHECKS) check(request, endpoint);
    bodies.arrived(reply);
  };
  const checkBody: ReplyCheck = (request) => {
    for (const check of bodyChecks) check(request);
  };
  const hook =
    (...checks: readonly ReplyCheck[]): Hook =>
    (request, reply, done) => {
      for (const check of checks) check(request, reply);
      done();
    };
  return gate ? [hook(checkHead), gate, hook(checkBody)] : [hook(checkHead, checkBody)];
}

/** What the checks of the head know. Before the app listens there are no addresses to know. */
function headOf(
  scope: FastifyInstance,
  endpoint: Pick<CheckedScopeInit, 'settings' | 'readiness'>,
): () => CheckedEndpoint {
  let known: CheckedEndpoint | undefined;
  return () => {
    if (known) return known;
    const found = { ...endpoint, isLoopback: isBoundToLoopback(scope), knownHosts: new Set<string>() };
    if (scope.addresses().length > 0) known = found;
    return found;
  };
}

function gateHook(gate: Gate, callers: WeakMap<FastifyRequest, Caller>): Hook {
  return (request, _reply, done) => {
    const admit = (caller: Caller): void => {
      callers.set(request, caller);
      done();
    };
    const admitted = gate.admit(request);
    if (isPromise(admitted)) admitted.then(admit, done);
    else admit(admitted);
  };
}

function addPreparation(scope: FastifyInstance, prepare: Preparation, callers: RouteSettings['callers']): void {
  scope.addHook('preHandler', (request, reply, done) => {
    const finish = (last: (() => void) | undefined): void => {
      try {
        last?.();
      } catch (error) {
        return done(error as Error);
      }
      done();
    };
    const prepared = prepare({ request, reply, caller: callers?.get(request) ?? ANONYMOUS });
    if (isPromise(prepared)) prepared.then(finish, done);
    else finish(prepared);
  });
}
