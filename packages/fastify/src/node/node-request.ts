/** A request of Fastify as the port has it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpRequest } from '@sigil-mcp/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from './connections';

/** Reads from Fastify what is asked for, and copies nothing. */
export class NodeRequest implements HttpRequest {
  /** The app reads the body, so that its hooks may change it. */
  readonly body = undefined;

  constructor(
    private readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    private readonly connections: Connections,
  ) {}

  get method(): string {
    return this.request.method;
  }

  get target(): string {
    return this.request.url;
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.request.raw.rawHeaders;
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
