/** Addresses of clients: a canonical spelling, and which of them count as one client. */
import { isIP } from 'node:net';

/**
 * The address in its canonical spelling, without a port, which some proxies append: an IPv4 address that is written as IPv6
 * becomes an IPv4 address. Other text is returned unchanged.
 */
export function readAddress(text: string): string {
  if (isIP(text) === 4) return text;
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 6 ? readIpv6(address) : address;
}

/** Characters of the longest address. A proxy may pass on longer texts, which its client wrote; their beginnings identify them. */
export const LONGEST_ADDRESS = 64;

/** The network of an address. A client with one IPv6 address usually has all of its network, so the first 64 bits identify it. */
export function networkOf(address: string): string {
  // A copy: a part of a text keeps the whole of it in memory.
  if (address.length > LONGEST_ADDRESS) return Buffer.from(address.slice(0, LONGEST_ADDRESS)).toString();
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - behind.length).fill('0');
  return `${[...groups.map((group) => group || '0'), ...zeros, ...behind].slice(0, 4).join(':')}::/64`;
}

function readIpv6(text: string): string {
  const [address = '', zone] = text.split('%');
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(written);
  if (mapped) {
    const bits = mapped.slice(1).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]);
    return bits.join('.');
  }
  return zone === undefined ? written : `${written}%${zone}`;
}
