/** The pipe to a server in the same process. */
import type { OpenPipe, Pipe } from './pipe';

/** A server in the same process; the `MemoryTransport` of `@sigil-mcp/core`, for one, after a server listens on it. */
export interface MemoryEndpoint {
  /**
   * Connects a client.
   * @param receive takes each message of the server, as text
   */
  connect(receive: (text: string) => void): Pick<Pipe, 'send' | 'close'>;
}

/** Connects to an endpoint in this process. */
export function memoryPipe(endpoint: MemoryEndpoint): OpenPipe {
  return (user) => endpoint.connect((text) => user.receive(text));
}
