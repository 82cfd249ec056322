/** The logger for programs that read logs: one JSON object a line, on stderr, because stdout belongs to the protocol. */
import { LinesLogger, type LogFormat, type Severity } from './lines-logger';

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

/** An entry as a JSON object. */
export const jsonLine: LogFormat = ({ level, message, fields }) =>
  `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;
