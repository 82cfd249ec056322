/** `server/discover`: what `initialize` tells, for clients that do not shake hands. */
import { keepResult } from '../../output/kept-result';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Tells which revisions are served and what the server offers. That is the same for every caller, so its text is kept. */
export function discover({
  instructions,
  capabilities,
  cache,
  revisions,
}: MethodServices): MethodHandler<'server/discover'> {
  const result = keepResult({
    supportedVersions: revisions.perRequest.map(({ version }) => version),
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...cache,
  });
  return { method: 'server/discover', isLight: true, handle: () => result };
}
