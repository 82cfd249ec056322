/** The logger for those who want none. */
import type { Logger } from './logger';

/** Writes nothing. */
export class SilentLogger implements Logger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
