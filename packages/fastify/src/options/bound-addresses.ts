/** Where an app listens. */
import { isIP, type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Whether only programs on this machine can connect to an app; true before it listens, which is the safer guess. */
export function isBoundToLoopback(app: FastifyInstance): boolean {
  // The type allows the path of a Unix socket, which is as local as can be.
  const addresses: readonly (AddressInfo | string)[] = app.addresses();
  return addresses.every((bound) => typeof bound === 'string' || isLoopbackAddress(bound.address));
}

/** Whether an address is of loopback: `127.0.0.0/8`, `::1`, or the name that stands for both. */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1' || address === 'localhost' || address.toLowerCase().startsWith('::ffff:127.');
}
