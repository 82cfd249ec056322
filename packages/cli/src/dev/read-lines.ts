/** The lines of a client on its pipe. */
import type { Readable } from 'node:stream';

/** What is called for each line, and after the last one. */
export interface LineEvents {
  readonly onLine: (line: string) => void;
  readonly onEnd: () => void;
}

/** Reads lines that are not blank, the last one also if it has no line end. */
export function readLines(input: Readable, { onLine, onEnd }: LineEvents): void {
  let rest = '';
  const take = (lines: readonly string[]): void => {
    for (const line of lines) if (line.trim() !== '') onLine(line);
  };
  input
    .setEncoding('utf8')
    .on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      take(lines);
    })
    .on('end', () => {
      take([rest]);
      onEnd();
    });
}
