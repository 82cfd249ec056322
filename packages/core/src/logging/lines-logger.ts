/** A logger that writes one entry after the other as text, in a format that it is given. */
import { loggable } from './loggable';
import type { Logger } from './logger';
import { isObject } from '@sigil-mcp/base';
import type { Writable } from 'node:stream';

/** An entry as a JSON object. */
export const jsonLine: LogFormat = ({ level, message, fields }) =>
  `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;

/** Bytes that may be pending. */
const MOST_WAITING = 4 * 1024 * 1024;

const SEVERITIES = ['debug', 'info', 'warn', 'error'] as const;

/** The severity of an entry of the server's log. */
export type Severity = (typeof SEVERITIES)[number];

/** One entry, as plain data. */
export interface LogEntry {
  readonly level: Severity;
  readonly message: string;
  readonly fields: object;
}

/** An entry as text, with its line break. */
export type LogFormat = (entry: LogEntry) => string;

/** Writes entries at or above a severity. */
export class LinesLogger implements Logger {
  readonly #threshold: number;
  readonly #write: (line: string) => void;

  /**
   * @param write receives each text; if left out they go to stderr, and while megabytes are pending there, further entries are left out
   *   and counted
   */
  constructor(
    threshold: Severity,
    private readonly format: LogFormat,
    write: (line: string) => void = stderrLines(format),
  ) {
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

  #log(level: Severity, fields: object, message: string): void {
    if (SEVERITIES.indexOf(level) < this.#threshold) return;
    const written = loggable(fields instanceof Error ? { err: fields } : fields);
    this.#write(this.format({ level, message, fields: isObject(written) ? written : { fields: written } }));
  }
}

/**
 * Writes JSON lines at or above a severity, for any fields: errors are written with their stack, cause and members; cycles and
 * getters that throw are described instead.
 * @example createServer({ name: 'weather', version: '1.0.0', logger: new JsonLinesLogger('debug') });
 */
export class JsonLinesLogger extends LinesLogger {
  /**
   * @param threshold the lowest severity that is written
   * @param write receives each line, with its line break; if left out they go to stderr, and while megabytes are pending there, further
   *   lines are left out and counted
   */
  constructor(threshold: Severity = 'info', write?: (line: string) => void) {
    super(threshold, jsonLine, write);
  }
}

function stderrLines(format: LogFormat): (line: string) => void {
  const message = 'Lines of this log were left out here, because nobody read those before them';
  return boundedLines(process.stderr, (leftOut) => format({ level: 'warn', message, fields: { leftOut } }));
}

/**
 * Makes a writer that leaves lines out while too many are pending, and logs their number when there is room again.
 * @param stream where the lines go
 * @param leftOut makes the line that says how many are missing
 */
export function boundedLines(
  stream: Pick<Writable, 'write' | 'writableLength'>,
  leftOut: (count: number) => string,
): (line: string) => void {
  let missing = 0;
  return (line) => {
    if (stream.writableLength > MOST_WAITING) {
      missing += 1;
      return;
    }
    if (missing > 0) stream.write(leftOut(missing));
    missing = 0;
    stream.write(line);
  };
}
