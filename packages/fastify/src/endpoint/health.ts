/** Routes for probes: outside of authentication and of the Host check, because probes come from anywhere. */
import { checkOneHost } from '../checks/host';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/** Whether an endpoint takes requests. */
export interface Readiness {
  /** Whether new clients should come here; false once the server begins to close. */
  isReady: boolean;
  /** Whether requests are still answered; false once everything that ran was seen off. */
  isOpen: boolean;
  /** Since when the store of the instances has been unreachable; undefined while it answers, or without a store. */
  readonly awaySince: () => Date | undefined;
}

/**
 * Adds two routes for GET and HEAD. `/healthz`: the process answers. `/readyz`: it takes requests; 503 from the moment it
 * begins to close. Without the store `degraded`: sessions are refused, and what needs none is served, as other instances would do it.
 */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  const add = (path: string, handler: RouteHandlerMethod): void => {
    // An app with a route of this name, or with another endpoint, has its probes already.
    if (!app.hasRoute({ method: 'GET', url: `${app.prefix}${path}` }))
      app.get(path, { exposeHeadRoute: true }, handler);
  };
  add('/healthz', ({ raw }, reply) => {
    checkOneHost(raw);
    return reply.send({ status: 'ok' });
  });
  add('/readyz', ({ raw }, reply) => {
    checkOneHost(raw);
    if (!readiness.isReady) return reply.code(503).send({ status: 'closing' });
    const since = readiness.awaySince();
    return reply.send(since ? { status: 'degraded', store: 'unreachable', since } : { status: 'ready' });
  });
}
