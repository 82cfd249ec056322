/** Routes for probes: outside of authentication and of the Host check, because probes come from anywhere. */
import type { FastifyInstance } from 'fastify';

/** Changed when the server begins to close. */
export interface Readiness {
  isReady: boolean;
}

/** `/healthz`: the process answers. `/readyz`: it takes requests; 503 from the moment it begins to close. GET and HEAD. */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/healthz', { exposeHeadRoute: true }, (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', { exposeHeadRoute: true }, (_request, reply) =>
    readiness.isReady ? reply.send({ status: 'ready' }) : reply.code(503).send({ status: 'closing' }),
  );
}
