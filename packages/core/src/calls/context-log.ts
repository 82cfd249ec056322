/** `context.log`: one call, two readers. */
import { LOG_LEVELS, type JsonObject, type JsonValue, type LogLevel } from '@sigil-mcp/protocol';
import { loggable } from '../logging/loggable';
import type { Logger } from '../logging/logger';
import type { ContextLog } from '../context/mcp-context';

/** The protocol's level -> the method of the server's logger. */
const SEVERITY: Readonly<Record<LogLevel, keyof Logger>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/**
 * Makes `context.log` for one call.
 * @param logger the server's own log
 * @param tellClient sends to the client where the conversation allows it; the data is the message, or with further data
 *   an object of both
 */
export function createContextLog(logger: Logger, tellClient: (level: LogLevel, data: JsonValue) => void): ContextLog {
  const log = (level: LogLevel) => (message: string, data?: Readonly<Record<string, JsonValue>>) => {
    // Whatever it is given, and whoever listens: a log entry never fails the call that it is about.
    const fields = data && (loggable(data) as JsonObject | undefined);
    logger[SEVERITY[level]](fields ?? {}, message);
    tellClient(level, fields ? { message, ...fields } : message);
  };
  const methods = LOG_LEVELS.map((level) => [level, log(level)] as const);
  // Built from LOG_LEVELS, so every level has its method.
  return Object.fromEntries(methods) as ContextLog;
}
