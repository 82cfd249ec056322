/** The port of the server's own log, for operators. */

/**
 * Structured logging as pino does it: fields first, then the message. Any pino logger fits; over stdio it must write to stderr.
 * @example createServer({ name: 'weather', version: '1.0.0', logger: pino(pino.destination(2)) });
 */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes nothing. */
export class SilentLogger implements Logger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
