/**
 * Hosts that are not on the open network. A client that can name one to this server could make the server call what only it can reach.
 * @see https://www.rfc-editor.org/rfc/rfc6890
 */
import { BlockList, isIP } from 'node:net';

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6');

/** Names that resolve only to the local machine or network. */
const NAMES = /^(?:localhost|.+\.(?:localhost|local|internal|intranet|lan|home\.arpa))$/;

/**
 * Whether a host is private.
 * @param host as `URL` normalizes it: a version 4 address always has the same form there
 */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  const address = name.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return NAMES.test(name) || !name.includes('.');
  return PRIVATE.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
