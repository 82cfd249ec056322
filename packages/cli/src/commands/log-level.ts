/** The log level that a server is asked for during a command. */
import { Option } from 'commander';
import type { LoggingLevel } from '../official-client';
import type { CommandSession } from '../session/session';

/** The option `--log-level`. */
export const LOG_LEVEL_OPTION = new Option('--log-level <level>', 'the lowest level of server logs to show')
  .choices(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
  .default('info');

/**
 * Sets the log level of a server: at once if the session stores it, or else with each request.
 * @returns the parameters of the request that set it; empty if the session stores it
 */
export async function withLogLevel(
  { client, official, request }: CommandSession,
  level: LoggingLevel,
): Promise<{ _meta?: Record<string, unknown> }> {
  // A server without a handshake stores nothing between requests.
  if (client.getDiscoverResult() !== undefined) return { _meta: { [official.LOG_LEVEL_META_KEY]: level } };
  if (client.getServerCapabilities()?.logging) await client.setLoggingLevel(level, request);
  return {};
}
