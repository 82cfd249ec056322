/** The default logger: one JSON object a line, on stderr, because stdout belongs to the protocol. */
import type { Logger } from './logger';

const SEVERITIES = ['debug', 'info', 'warn', 'error'] as const;

/** How severe an entry of the server's log is. */
export type Severity = (typeof SEVERITIES)[number];

/**
 * Writes JSON lines at or above a severity. Errors among the fields are written with their stack and their cause; where JSON
 * cannot hold a field, the line has the message alone, and the call that logs does not fail.
 * @example createServer({ name: 'weather', version: '1.0.0', logger: new JsonLinesLogger('debug') });
 */
export class JsonLinesLogger implements Logger {
  readonly #threshold: number;
  readonly #write: (line: string) => void;

  /**
   * @param threshold the least severe level that is written
   * @param write takes each line, with its line break; writes to stderr if left out
   */
  constructor(threshold: Severity = 'info', write: (line: string) => void = (line) => void process.stderr.write(line)) {
    this.#threshold = SEVERITIES.indexOf(threshold);
    this.#write = write;
  }

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

  #log(severity: Severity, fields: object, message: string): void {
    if (SEVERITIES.indexOf(severity) < this.#threshold) return;
    const head = { time: new Date().toISOString(), level: severity, message };
    this.#write(`${stringify({ ...head, ...fields }) ?? stringify(head)}\n`);
  }
}

/** JSON text, or undefined for what JSON cannot hold: a log entry must never fail the call it is about. */
function stringify(entry: object): string | undefined {
  try {
    return JSON.stringify(entry, (_key, value: unknown) =>
      value instanceof Error ? describeError(value) : writable(value),
    );
  } catch {
    return undefined;
  }
}

function describeError(error: Error): object {
  return {
    name: error.name,
    ...('code' in error && { code: error.code }),
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error instanceof AggregateError && { errors: error.errors as unknown[] }),
  };
}

function writable(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
