/** Addresses that only programs of this machine can reach. */
import { isIP } from 'node:net';

/** Whether an address is a loopback address: `127.0.0.0/8`, `::1`, or the name for both. */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1' || address === 'localhost' || address.toLowerCase().startsWith('::ffff:127.');
}
