/** The addresses that an app listens on. */
import type { AddressInfo } from 'node:net';
import { isLoopbackAddress } from '@sigil-mcp/http/adapter';
import type { FastifyInstance } from 'fastify';

/** Whether only local programs can connect to an app; true before it listens, which is the safer assumption. */
export function isBoundToLoopback(app: FastifyInstance): boolean {
  // By its type, an address may be the path of a Unix socket, which is local.
  const addresses: readonly (AddressInfo | string)[] = app.addresses();
  return addresses.every((bound) => typeof bound === 'string' || isLoopbackAddress(bound.address));
}
