/** A request of Fastify as the port has it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpRequest } from '@sigil-mcp/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from './connections';

/** Made once for each request, of what most requests are asked for. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** The app reads the body, so that its hooks may change it. */
  readonly body = undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly connections: Connections,
  ) {
    this.method = request.method;
    this.target = request.raw.url ?? '';
    // Of Fastify, because hooks of the app may have changed them.
    this.headers = request.headers;
    this.rawHeaders = request.raw.rawHeaders;
  }

  get address(): string {
    return this.request.ip;
  }

  get connection(): object {
    return this.request.raw.socket;
  }

  get httpVersion(): string {
    return this.request.raw.httpVersion;
  }

  onClosed(listener: () => void): () => void {
    return this.connections.onEnd(this.reply, listener);
  }

  abort(): void {
    this.reply.raw.destroy();
  }
}
