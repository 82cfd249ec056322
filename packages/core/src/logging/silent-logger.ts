/** The logger of servers without a log. */
import type { Logger } from './logger';

/** Writes nothing. */
export class SilentLogger implements Logger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
