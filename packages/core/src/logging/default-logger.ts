/** The logger of a server that names only a level: readable at a terminal, JSON lines everywhere else. */
import { LinesLogger, type Severity, jsonLine } from './lines-logger';
import type { Logger } from './logger';
import { readableLine } from './readable-line';
import { loggable } from './loggable';

/** What decides about the format. */
interface LogEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The stream of the log. */
  readonly stream: { readonly isTTY?: boolean };
  /** The folder of the program. */
  readonly folder: string;
}

/**
 * Writes to stderr. `SIGIL_LOG_FORMAT` is `json` or `pretty`; without it, the format depends on whether stderr is a terminal.
 * @param threshold the lowest severity that is written
 * @param write receives each text in place of stderr
 */
export function defaultLogger(
  threshold: Severity,
  { environment, stream, folder }: LogEnvironment,
  write?: (text: string) => void,
): Logger {
  const { SIGIL_LOG_FORMAT: format } = environment;
  const isReadable = format === 'pretty' || (format !== 'json' && stream.isTTY === true);
  return new LinesLogger(
    threshold,
    isReadable ? readableLine(folder, wantsColors(environment, stream)) : jsonLine,
    write,
  );
}

/** As Node decides for its own output: FORCE_COLOR first, then NO_COLOR. */
function wantsColors(
  { FORCE_COLOR, NO_COLOR, TERM }: LogEnvironment['environment'],
  { isTTY }: LogEnvironment['stream'],
): boolean {
  if (FORCE_COLOR !== undefined) return ['', '1', '2', '3', 'true'].includes(FORCE_COLOR);
  return isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

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
