/** How much a server is asked to log while it works. */
import { Option } from 'commander';
import type { LoggingLevel } from '../official-client';
import type { Session } from '../session/session';

/** The option `--log-level`. */
export const LOG_LEVELS = new Option('--log-level <level>', 'the least that the server logs to this terminal')
  .choices(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
  .default('info');

/**
 * Tells a server how much to log: at once where it keeps that, or with the request.
 * @returns what the request says about it
 */
export async function withLogLevel(
  { client, official, request }: Session,
  level: LoggingLevel,
): Promise<{ _meta?: Record<string, unknown> }> {
  // A server that was discovered keeps nothing between requests.
  if (client.getDiscoverResult() !== undefined) return { _meta: { [official.LOG_LEVEL_META_KEY]: level } };
  if (client.getServerCapabilities()?.logging) await client.setLoggingLevel(level, request);
  return {};
}
