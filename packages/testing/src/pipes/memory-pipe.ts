/** To a server object in the same process. */
import { MemoryTransport, type Server } from '@sigil-mcp/core';
import type { OpenPipe } from './pipe';

/** Lets the server listen, for this client. */
export async function memoryPipe(server: Server): Promise<OpenPipe> {
  const transport = new MemoryTransport();
  await server.listen(transport);
  return (user) => transport.connect((text) => user.receive(text));
}
