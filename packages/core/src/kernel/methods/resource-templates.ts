/** `resources/templates/list`. */
import { Listing } from '../../registry/listing';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Lists the resource templates. */
export function listResourceTemplates({ registry, cache }: MethodServices): MethodHandler<'resources/templates/list'> {
  const listing = new Listing(registry, 'resource-template', cache, ({ definitions, nextCursor, cache: hints }) => ({
    resourceTemplates: definitions,
    ...(nextCursor !== undefined && { nextCursor }),
    ...hints,
  }));
  return {
    method: 'resources/templates/list',
    capability: 'resources',
    handle: ({ params, context }) => listing.page(params.cursor, context),
  };
}
