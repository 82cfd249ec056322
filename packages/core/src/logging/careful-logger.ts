/** A logger of the author's, whose failures must not become those of a call. */
import { loggable } from './loggable';
import type { Logger } from './logger';

/**
 * Hands every entry on as it is, so that errors keep what the other logger makes of them. What that one trips over (a getter that
 * throws, a cycle) it gets again as plain data; what it throws then is dropped.
 */
export class CarefulLogger implements Logger {
  constructor(private readonly logger: Logger) {}

  debug(fields: object, message: string): void {
    this.#log('debug', fields, message);
  }

  info(fields: object, message: string): void {
    this.#log('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.#log('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.#log('error', fields, message);
  }

  #log(severity: keyof Logger, fields: object, message: string): void {
    try {
      this.logger[severity](fields, message);
    } catch {
      this.#logPlain(severity, fields, message);
    }
  }

  #logPlain(severity: keyof Logger, fields: object, message: string): void {
    try {
      // An object stays one.
      this.logger[severity](loggable(fields) as object, message);
    } catch {
      // Nobody is left to tell.
    }
  }
}
