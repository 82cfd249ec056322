/** `server/discover`: the facts of `initialize`, for clients without a handshake. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import { keepResult } from '../../output/kept-result';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';
import { withoutChanges } from './without-changes';

/** Tells which revisions are served and what the server offers. That is the same for every caller of a kind, so its text is kept. */
export function discover({
  instructions,
  capabilities,
  cache,
  revisions,
}: MethodServices): MethodHandler<'server/discover'> {
  const resultWith = (advertised: ServerCapabilities) =>
    keepResult({
      supportedVersions: revisions.perRequest.map(({ version }) => version),
      capabilities: advertised,
      ...(instructions !== undefined && { instructions }),
      ...cache,
    });
  const [result, unchanging] = [resultWith(capabilities), resultWith(withoutChanges(capabilities))];
  return {
    method: 'server/discover',
    isUnlimited: true,
    handle: ({ exchange }) => (exchange.hearsChanges === false ? unchanging : result),
  };
}
