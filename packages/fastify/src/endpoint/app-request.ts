/** A request of an app as the port of HTTP has it: with what hooks of the app have changed. */
import type { HttpRequest } from '@sigil-mcp/http';
import { NodeRequest, type Connections } from '@sigil-mcp/http/node-adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Made once for each request. */
export class AppRequest extends NodeRequest implements HttpRequest {
  constructor(
    private readonly request: FastifyRequest,
    reply: FastifyReply,
    connections: Connections,
  ) {
    super(request.raw, reply.raw, connections, request.headers);
  }

  /** By the proxies that the app trusts. */
  override get address(): string {
    return this.request.ip;
  }

  /** The app reads the body, so that its hooks may change it. */
  override get body(): undefined {
    return undefined;
  }
}
