/** Where to listen and whom to let in: options first, then the environment, then what is safe. */
import { isIP } from 'node:net';
import { sigilError } from '@sigil-mcp/core/adapter';
import type { HttpTransportOptions } from './http-transport-options';

/** Where to listen and whom to let in, as it was decided. */
export interface Binding {
  readonly port: number;
  readonly host: string;
  /** Names that a `Host` header may have; undefined where nobody named any. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  /** Addresses and networks of proxies that are believed; false for none. */
  readonly trustProxy: string[] | false;
  /** The origin at which `sigil dev` holds the clients of this server; undefined where they connect to it themselves. */
  readonly heldAt: string | undefined;
}

/** Reads the options and the environment. Throws a `SigilError` for a `PORT` or proxies that are none. */
export function bindingOf(options: HttpTransportOptions, environment: NodeJS.ProcessEnv): Binding {
  return {
    port: options.port ?? readPort(environment['PORT']),
    host: options.host ?? (environment['HOST'] || '127.0.0.1'),
    allowedHosts: options.allowedHosts ?? readList(environment['ALLOWED_HOSTS']),
    allowedOrigins: options.allowedOrigins ?? readList(environment['ALLOWED_ORIGINS']) ?? [],
    trustProxy: readProxies(options.trustProxy ?? readList(environment['TRUST_PROXY'])),
    heldAt: environment['SIGIL_DEV_ORIGIN'] || undefined,
  };
}

/** Names of networks that stand for addresses. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];
const LONGEST_PREFIX = { 0: -1, 4: 32, 6: 128 } as const;

function readProxies(given: readonly string[] | undefined): string[] | false {
  // From JavaScript it may be a flag, or one text.
  const named: readonly unknown[] | undefined = given === undefined || Array.isArray(given) ? given : [given];
  const wrong = named?.find((entry) => !isNetwork(entry));
  if (wrong !== undefined) throw sigilError('SIGIL_TRUST_PROXY', { value: JSON.stringify(wrong) });
  return (named?.length ?? 0) > 0 && (named as string[]).slice();
}

function isNetwork(entry: unknown): boolean {
  if (typeof entry !== 'string') return false;
  if (NAMED_NETWORKS.includes(entry)) return true;
  const [address = '', prefix, ...rest] = entry.split('/');
  const longest = LONGEST_PREFIX[isIP(address) as 0 | 4 | 6];
  if (longest < 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest);
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 3000;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw sigilError('SIGIL_PORT', { port: JSON.stringify(text) });
  return port;
}

/** Reads a list that is separated by commas; undefined where it names nothing. */
function readList(text: string | undefined): string[] | undefined {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length > 0 ? entries : undefined;
}
