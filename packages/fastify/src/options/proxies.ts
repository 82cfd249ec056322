/** The proxies whose `X-Forwarded-For` is trusted: addresses, networks, and names of networks. */
import { BlockList, isIP } from 'node:net';
import { httpError } from '../errors';

/** Names that stand for networks. */
const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const LONGEST_PREFIX = { 0: -1, 4: 32, 6: 128 } as const;

/** Reads the option; false for no proxies. Throws a `SigilError` for what is no address or network. */
export function readProxies(given: readonly string[] | undefined): string[] | false {
  // In JavaScript the option may be a flag, or a single text.
  const named: readonly unknown[] | undefined = given === undefined || Array.isArray(given) ? given : [given];
  const wrong = named?.find((entry) => !isNetwork(entry));
  if (wrong !== undefined) throw httpError('SIGIL_TRUST_PROXY', { value: JSON.stringify(wrong) });
  return (named?.length ?? 0) > 0 && (named as string[]).slice();
}

/** Tells whether an address is that of a proxy. @param proxies as `readProxies` returns them */
export function proxyTest(proxies: readonly string[] | false): (address: string) => boolean {
  const list = new BlockList();
  for (const each of (proxies || []).flatMap((name) => NAMED_NETWORKS[name] ?? [name])) {
    const [address = '', prefix] = each.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function isNetwork(entry: unknown): boolean {
  if (typeof entry !== 'string') return false;
  if (Object.hasOwn(NAMED_NETWORKS, entry)) return true;
  const [address = '', prefix, ...rest] = entry.split('/');
  const longest = LONGEST_PREFIX[isIP(address) as 0 | 4 | 6];
  if (longest < 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest);
}
