/** Log messages to the client: the levels of RFC 5424, least severe first. */

/** Every level, ascending. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How severe a log message is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Parameters of `logging/setLevel`. */
export interface SetLevelParams {
  readonly level: LogLevel;
}
