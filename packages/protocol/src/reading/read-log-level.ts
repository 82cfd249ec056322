/** Reads a level of severity. */
import type { JsonValue } from '../jsonrpc/message';
import { ProtocolError } from '../jsonrpc/protocol-error';
import { LOG_LEVELS, type LogLevel } from '../model/logging';

/** A level that the protocol knows. @param at where it was found, for the error */
export function readLogLevel(value: JsonValue | undefined, at: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) throw new ProtocolError('invalid-params', `${at} must be one of ${LOG_LEVELS.join(', ')}`);
  return level;
}
