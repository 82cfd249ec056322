/** `server/discover`: what `initialize` tells, for clients that do not shake hands. */
import { PER_REQUEST_REVISIONS } from '@sigil-mcp/protocol';
import type { MethodHandler } from '../method-handler';
import type { MethodParts } from './method-parts';

/** The same for every caller, so its text is kept. */
export function discover({ instructions, capabilities, cache }: MethodParts): MethodHandler<'server/discover'> {
  const result = Object.freeze({
    supportedVersions: PER_REQUEST_REVISIONS.map(({ version }) => version),
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...cache,
  });
  return { method: 'server/discover', handle: () => result };
}
