/** A request of Node as the port has it. */
import type { ServerResponse } from 'node:http';
import type { RequestHeaders } from '@sigil-mcp/core';
import type { HttpRequest } from '../port';
import type { Connections } from './connections';
import { bodyOf, type NodeMessage } from './request-body';

/** Made once for each request, of what most requests are asked for. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];

  /** @param headers those of the message if left out; hooks of an app may have changed them */
  constructor(
    protected readonly message: NodeMessage,
    protected readonly response: ServerResponse,
    private readonly connections: Connections,
    readonly headers: RequestHeaders = message.headers,
  ) {
    this.method = message.method ?? '';
    this.target = targetOf(message);
    this.rawHeaders = message.rawHeaders;
  }

  get address(): string {
    return this.message.socket.remoteAddress ?? '';
  }

  get body(): AsyncIterable<Uint8Array> | undefined {
    return bodyOf(this.message);
  }

  get connection(): object {
    return this.message.socket;
  }

  get httpVersion(): string {
    return this.message.httpVersion;
  }

  onClosed(listener: () => void): () => void {
    return this.connections.onEnd(this.response, listener);
  }

  abort(): void {
    // What waits for its turn has no connection yet, and would stay in memory until the answers before it are sent.
    const { socket } = this.response;
    this.response.destroy();
    if (!socket) this.message.socket.destroy();
  }
}

/** The target as it was sent, also where a framework has cut its path. */
export function targetOf({ originalUrl, url }: NodeMessage): string {
  return originalUrl ?? url ?? '';
}
