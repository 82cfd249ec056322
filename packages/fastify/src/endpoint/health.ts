/** Routes for probes: outside of authentication and of the Host check, because probes come from anywhere. */
import { checkOneHost } from '../checks/host';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/** Whether an endpoint takes requests. */
export interface Readiness {
  /** Whether new clients should come here; false once the server begins to close. */
  isReady: boolean;
  /** Whether requests are still answered; false once everything that ran was seen off. */
  isOpen: boolean;
}

/**
 * Adds two routes for GET and HEAD. `/healthz`: the process answers. `/readyz`: it takes requests; 503 from the moment it
 * begins to close.
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
    return readiness.isReady ? reply.send({ status: 'ready' }) : reply.code(503).send({ status: 'closing' });
  });
}
