/** Wraps a logger of the author, so that its failures do not fail a call. */
import { loggable } from './loggable';
import type { Logger } from './logger';

/**
 * Passes every entry on unchanged, so that the other logger can format errors its own way. If it throws (at a getter that throws, or
 * a cycle), it gets the entry again as plain data; if it throws again, the entry is dropped.
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
      // Plain data of an object is an object.
      this.logger[severity](loggable(fields) as object, message);
    } catch {
      // The error cannot be logged either.
    }
  }
}
