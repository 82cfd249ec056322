/** The key of a client: whose limits a request counts against, over all of its sessions and in what extensions keep for it. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';

/** A client on the machine of the server, which is its only one. */
export const LOCAL_CLIENT = 'local';

/** Addresses whose keys are known; those of a server with more clients are made again. */
const MOST_KNOWN = 10_000;

/** Makes keys: one of an address takes longer than the rest of what is counted for a call. */
export class ClientKeys {
  readonly #known = new Map<string, string>();

  /**
   * A caller who is known counts by its principal, every other one by its address, or its network, if it has one.
   * @returns at most 64 characters of `A-Za-z0-9-_`, which do not tell the address: stores of others may keep them
   */
  of(principal: string | undefined, address: string | undefined): string {
    if (principal !== undefined) return principal;
    if (address === undefined) return LOCAL_CLIENT;
    return this.#known.get(address) ?? this.#learn(address);
  }

  #learn(address: string): string {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const digest = createHash('sha256')
      .update(networkOf(readAddress(address)))
      .digest('base64url');
    const key = `address-${digest}`;
    // A copy: a part of a text keeps the whole of it in memory, which is a header that the client wrote.
    if (address.length <= LONGEST_ADDRESS) this.#known.set(Buffer.from(address).toString(), key);
    return key;
  }
}

// Addresses of clients: a canonical spelling, and which of them count as one client.

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
const LONGEST_ADDRESS = 64;

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
