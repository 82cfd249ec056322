/** `initialize`: the answer to the handshake. The conversation negotiates the revision. */
import type { Revision, ServerCapabilities } from '@sigil-mcp/protocol';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';
import { withoutChanges } from './without-changes';

/** Tells the client which revision is spoken, what it is talking to, and what that offers. */
export function initialize(services: MethodServices): MethodHandler<'initialize'> {
  const { server, instructions, revisions } = services;
  const offered = new Map(revisions.handshake.map((revision) => [revision, offersIn(revision, services)]));
  return {
    method: 'initialize',
    isUnlimited: true,
    handle({ revision, exchange }) {
      const offers = offered.get(revision) ?? offersIn(revision, services);
      return {
        protocolVersion: revision.version,
        capabilities: exchange.hearsChanges === false ? offers.unchanging : offers.all,
        serverInfo: server,
        ...(instructions !== undefined && { instructions }),
      };
    },
  };
}

/** The capabilities in a revision: to clients that can be notified of changes, and to others. */
function offersIn(
  revision: Revision,
  { extensions, capabilities }: MethodServices,
): { readonly all: ServerCapabilities; readonly unchanging: ServerCapabilities } {
  const all = extensions.advertisedIn(revision, capabilities);
  return { all, unchanging: withoutChanges(all) };
}
