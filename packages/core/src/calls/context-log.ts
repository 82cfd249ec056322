/** `context.log`: writes to the server's log and to the client. */
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
 * @param tellClient sends to the client if the conversation allows it; the data is the message, or with further data
 *   an object of both
 */
export function createContextLog(logger: Logger, tellClient: (level: LogLevel, data: JsonValue) => void): ContextLog {
  const log = (level: LogLevel) => (said: string, data?: Readonly<Record<string, unknown>>) => {
    // A log entry must never fail its call, for any argument and any logger.
    const message = typeof said === 'string' ? said : (JSON.stringify(loggable(said)) ?? '');
    const fields = fieldsOf(data);
    logger[SEVERITY[level]](fields ?? {}, message);
    tellClient(level, fields ? { message, ...fields } : message);
  };
  const methods = LOG_LEVELS.map((level) => [level, log(level)] as const);
  // Built from LOG_LEVELS, so every level has its method.
  return Object.fromEntries(methods) as ContextLog;
}

/** The fields of any value that JavaScript may pass as data: an object, an error, or another value. */
function fieldsOf(data: unknown): JsonObject | undefined {
  const written = loggable(data);
  if (written === undefined) return undefined;
  if (data instanceof Error) return { err: written };
  // Written JSON that is neither an array nor null is an object here.
  const isFields = typeof written === 'object' && written !== null && !Array.isArray(written);
  return isFields ? (written as JsonObject) : { data: written };
}
