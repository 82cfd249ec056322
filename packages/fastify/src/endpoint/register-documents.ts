/** The public documents of an endpoint as routes of its app: of several endpoints, the first one has a path. */
import type { HttpResponse } from '@sigil-mcp/http';
import type { PublicDocument } from '@sigil-mcp/http/adapter';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Adds the documents, unless the app has routes of its own there. */
export function registerDocuments(app: FastifyInstance, documents: readonly PublicDocument[]): void {
  for (const document of documents) {
    const place = document.isAtRoot ? rootOf(app) : app;
    const url = routeOf(document.path);
    const has = (method: 'GET' | 'OPTIONS'): boolean => place.hasRoute({ method, url: `${place.prefix}${url}` });
    if (has('GET')) continue;
    place.get(url, { exposeHeadRoute: true }, async ({ raw }, reply) => send(reply, await document.get(raw)));
    const { options } = document;
    if (options && !has('OPTIONS')) place.options(url, (_request, reply) => send(reply, options()));
  }
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** The outermost app without a path prefix: well-known paths have no prefix. */
function rootOf(app: FastifyInstance): FastifyInstance {
  let root = app;
  // The prototype of a plugin's app is the app around it.
  while (root.prefix !== '') root = Object.getPrototypeOf(root) as FastifyInstance;
  return root;
}

/** A path for the router, with colons escaped, which would begin parameters. */
function routeOf(path: string): string {
  return path.replaceAll(':', '::');
}
