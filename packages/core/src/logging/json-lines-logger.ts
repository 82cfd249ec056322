/** The default logger: one JSON object a line, on stderr, because stdout belongs to the protocol. */
import { isObject } from '../values/plain-object';
import { boundedLines } from './bounded-lines';
import { loggable } from './loggable';
import type { Logger } from './logger';

const SEVERITIES = ['debug', 'info', 'warn', 'error'] as const;

/** The severity of an entry of the server's log. */
export type Severity = (typeof SEVERITIES)[number];

/**
 * Writes JSON lines at or above a severity, for any fields: errors are written with their stack, cause and members; cycles and
 * getters that throw are described instead.
 * @example createServer({ name: 'weather', version: '1.0.0', logger: new JsonLinesLogger('debug') });
 */
export class JsonLinesLogger implements Logger {
  readonly #threshold: number;
  readonly #write: (line: string) => void;

  /**
   * @param threshold the lowest severity that is written
   * @param write receives each line, with its line break; if left out they go to stderr, and while megabytes are pending there, further
   *   lines are left out and counted
   */
  constructor(threshold: Severity = 'info', write: (line: string) => void = stderrLines()) {
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
    const written = loggable(fields instanceof Error ? { err: fields } : fields);
    this.#write(lineOf(severity, message, isObject(written) ? written : { fields: written }));
  }
}

function lineOf(level: Severity, message: string, fields: object): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;
}

function stderrLines(): (line: string) => void {
  return boundedLines(process.stderr, (leftOut) =>
    lineOf('warn', 'Lines of this log were left out here, because nobody read those before them', { leftOut }),
  );
}
