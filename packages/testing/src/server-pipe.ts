/** The pipe to a server object in the same process, with the caller and the providers of a test. */
import { MemoryTransport, type Provider, type Server } from '@sigil-mcp/core';
import type { OpenPipe } from '@sigil-mcp/client/wire';
import type { TestAccess } from './caller';

/** The options of one client of a server object. */
export interface MemoryOptions {
  readonly access: TestAccess;
  /** Providers that replace those of the server, for this client. */
  readonly override: readonly Provider[];
}

/** Lets the server listen, for this client; a client with its own providers has its own server, which closes with it. */
export async function serverPipe(server: Server, { access, override }: MemoryOptions): Promise<OpenPipe> {
  const own = override.length > 0 ? server.override(override) : undefined;
  const transport = new MemoryTransport();
  try {
    await (own ?? server).listen(transport);
  } catch (error) {
    // The error of the start is more useful than that of the close.
    await own?.close().catch(() => undefined);
    throw error;
  }
  return (user) => {
    const pipe = transport.connect((text) => user.receive(text), access);
    if (!own) return pipe;
    return {
      send: (text) => pipe.send(text),
      close: () => {
        pipe.close();
        return own.close();
      },
    };
  };
}
