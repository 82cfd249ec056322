/** `initialize`: the answer to the handshake. Which revision it settled on is the conversation's matter. */
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Tells the client which revision is spoken, what it is talking to, and what that offers. */
export function initialize({ server, instructions, capabilities }: MethodServices): MethodHandler<'initialize'> {
  return {
    method: 'initialize',
    isLight: true,
    handle: ({ revision }) => ({
      protocolVersion: revision.version,
      capabilities,
      serverInfo: server,
      ...(instructions !== undefined && { instructions }),
    }),
  };
}
