/** `initialize`: the answer to the handshake. The conversation negotiates the revision. */
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';
import { withoutChanges } from './without-changes';

/** Tells the client which revision is spoken, what it is talking to, and what that offers. */
export function initialize({ server, instructions, capabilities }: MethodServices): MethodHandler<'initialize'> {
  const unchanging = withoutChanges(capabilities);
  return {
    method: 'initialize',
    isLight: true,
    handle: ({ revision, exchange }) => ({
      protocolVersion: revision.version,
      capabilities: exchange.hearsChanges === false ? unchanging : capabilities,
      serverInfo: server,
      ...(instructions !== undefined && { instructions }),
    }),
  };
}
