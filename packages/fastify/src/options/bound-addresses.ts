/** The addresses that an app listens on. */
import { isIP, type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Whether only local programs can connect to an app; true before it listens, which is the safer assumption. */
export function isBoundToLoopback(app: FastifyInstance): boolean {
  // By its type, an address may be the path of a Unix socket, which is local.
  const addresses: readonly (AddressInfo | string)[] = app.addresses();
  return addresses.every((bound) => typeof bound === 'string' || isLoopbackAddress(bound.address));
}

/** Whether an address is a loopback address: `127.0.0.0/8`, `::1`, or the name for both. */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1' || address === 'localhost' || address.toLowerCase().startsWith('::ffff:127.');
}
