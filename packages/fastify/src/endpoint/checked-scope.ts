/** A Fastify scope in which every request is checked before its body is read, and every failure has a JSON-RPC body. */
import type { Caller, Logger } from '@sigil-mcp/core';
import { ANONYMOUS, isPromise, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gate } from '../authorization/gate';
import { VerifyDeadline } from '../authorization/verify-deadline';
import { isBoundToLoopback } from '../options/bound-addresses';
import type { BodyCheck, CheckedEndpoint } from '../checks/check';
import { HEAD_CHECKS } from '../checks/head-checks';
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
  { settings, logger, readiness, admitsStrangers, paths, prepare, unreadableId }: CheckedScopeInit,
): Promise<void> {
  await app.register(async (scope) => {
    const cors = await registerCors(scope, settings.allowedOrigins);
    const callers = settings.auth && new WeakMap<FastifyRequest, Caller>();
    scope.setErrorHandler(
      writeErrors({
        logger,
        bodyLimit: settings.bodyLimit,
        isHosted: true,
        unreadableId: (request) => unreadableId({ request, caller: callers?.get(request) ?? ANONYMOUS }),
      }),
    );
    scope.removeAllContentTypeParsers();
    // By its name, which is found at once, and for whatever else gets past the checks of the head.
    for (const type of ['application/json', '*']) {
      scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: settings.bodyLimit }, passBody);
    }
    addHeadChecks(scope, { settings, readiness }, paths);
    if (settings.auth && callers) {
      const deadline = new VerifyDeadline(settings.limits.verifyTimeout, logger);
      addGate(scope, new Gate(settings.auth, admitsStrangers, deadline), callers);
    }
    if (prepare) addPreparation(scope, prepare, callers);
    for (const path of paths) registerPath(scope, path, { config: { cors }, callers });
  });
}

interface RouteSettings {
  readonly config: object;
  /** Undefined where nobody is authenticated. */
  readonly callers: WeakMap<FastifyRequest, Caller> | undefined;
}

function registerPath(
  scope: FastifyInstance,
  { path, methods, bodyChecks }: CheckedPath,
  { config, callers }: RouteSettings,
): void {
  const allow = Object.keys(methods).join(', ');
  const refused = scope.supportedMethods.filter((method) => !(method in methods));
  for (const [method, serve] of Object.entries(methods)) {
    const handler = (request: FastifyRequest, reply: FastifyReply): MaybePromise<FastifyReply | void> => {
      const served = serve({ request, reply, caller: callers?.get(request) ?? ANONYMOUS });
      // What has resolved may be answered later: without the reply Fastify would answer with nothing.
      return isPromise(served) ? served.then(() => reply) : served;
    };
    const onRequest = method === 'POST' && bodyChecks.length > 0 ? [asHook(bodyChecks)] : [];
    scope.route({ method, url: path, exposeHeadRoute: false, config, handler, onRequest });
  }
  const handler = (): never => {
    throw methodNotAllowed(allow);
  };
  // The first check of the head refuses them; a preflight was answered by the CORS hook before.
  scope.route({ method: refused, url: path, config, handler });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** One hook for all: each would cost its own turn through Fastify's runner. */
function asHook(checks: readonly BodyCheck[]): Hook {
  return (request, _reply, done) => {
    for (const check of checks) check(request);
    done();
  };
}

function passBody(_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void): void {
  done(null, body);
}

function addHeadChecks(
  scope: FastifyInstance,
  endpoint: Pick<CheckedScopeInit, 'settings' | 'readiness'>,
  paths: readonly CheckedPath[],
): void {
  const served = new Map(paths.map(({ path, methods }) => [`${scope.prefix}${path}`, Object.keys(methods)]));
  const known: { scope?: CheckedEndpoint } = {};
  const headScope = (): CheckedEndpoint => {
    if (known.scope) return known.scope;
    const found = { ...endpoint, served, isLoopback: isBoundToLoopback(scope), knownHosts: new Set<string>() };
    // Before the app listens there are no addresses to know.
    if (scope.addresses().length > 0) known.scope = found;
    return found;
  };
  scope.addHook('onRequest', (request, _reply, done) => {
    const head = headScope();
    for (const check of HEAD_CHECKS) check(request, head);
    done();
  });
}

function addGate(scope: FastifyInstance, gate: Gate, callers: WeakMap<FastifyRequest, Caller>): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    const admit = (caller: Caller): void => {
      callers.set(request, caller);
      done();
    };
    const admitted = gate.admit(request);
    if (isPromise(admitted)) admitted.then(admit, done);
    else admit(admitted);
  });
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
