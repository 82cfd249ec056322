/** Where to listen and whom to let in: options first, then the environment, then what is safe. */
import { sigilError } from '@sigil-mcp/core/adapter';
import type { HttpTransportOptions } from './http-transport-options';

/** Where to listen and whom to let in, as it was decided. */
export interface Binding {
  readonly port: number;
  readonly host: string;
  /** Names that a `Host` header may have; undefined where nobody named any. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
}

/** Reads the options and the environment. Throws a `SigilError` for a `PORT` that is no number from 0 to 65535. */
export function bindingOf(options: HttpTransportOptions, environment: NodeJS.ProcessEnv): Binding {
  return {
    port: options.port ?? readPort(environment['PORT']),
    host: options.host ?? (environment['HOST'] || '127.0.0.1'),
    allowedHosts: options.allowedHosts ?? readList(environment['ALLOWED_HOSTS']),
    allowedOrigins: options.allowedOrigins ?? readList(environment['ALLOWED_ORIGINS']) ?? [],
  };
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
