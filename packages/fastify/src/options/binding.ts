/** The address, the allowed hosts and the proxies: from options, then from the environment, then from safe defaults. */
import { requireOptions } from '@sigil-mcp/core/internal';
import { TRANSPORT_OPTIONS, type HttpTransportOptions } from './http-transport-options';
import { httpError } from '../errors';
import { readProxies } from './proxies';

/** The resulting settings. */
export interface Binding {
  readonly port: number;
  readonly host: string;
  /** The names that a `Host` header may have; undefined if there is no list. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  /** The addresses and networks of trusted proxies; false for none. */
  readonly trustProxy: string[] | false;
  /** The origin at which `sigil dev` keeps the clients of this server; undefined if they connect to it directly. */
  readonly heldAt: string | undefined;
}

/** Reads the options and the environment. Throws a `DefinitionError` for wrong options, and a `SigilError` for an invalid `PORT` or invalid proxies. */
export function bindingOf(options: HttpTransportOptions, environment: NodeJS.ProcessEnv): Binding {
  requireOptions('HttpTransport', options, TRANSPORT_OPTIONS);
  return {
    port: options.port ?? readPort(environment['PORT']),
    host: options.host ?? (environment['HOST'] || '127.0.0.1'),
    allowedHosts: options.allowedHosts ?? readList(environment['ALLOWED_HOSTS']),
    allowedOrigins: options.allowedOrigins ?? readList(environment['ALLOWED_ORIGINS']) ?? [],
    trustProxy: readProxies(options.trustProxy ?? readList(environment['TRUST_PROXY'])),
    heldAt: environment['SIGIL_DEV_ORIGIN'] || undefined,
  };
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 3000;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw httpError('SIGIL_PORT', { port: JSON.stringify(text) });
  return port;
}

/** Reads a list with commas; undefined for an empty one. */
function readList(text: string | undefined): string[] | undefined {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length > 0 ? entries : undefined;
}
