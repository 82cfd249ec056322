/** Reads the output of a program line by line. */
import type { Readable } from 'node:stream';

/** What is called for each line, and after the last one. */
export interface LineEvents {
  readonly onLine: (line: string) => void;
  readonly onEnd?: () => void;
  /** Whether blank lines count; false if left out. */
  readonly takesBlank?: boolean;
}

/**
 * Reads whole lines. The pieces of a line are joined once, however many they are.
 * @returns reads what has no line end as the last line, where a cut one counts
 */
export function readLines(input: Readable, { onLine, onEnd, takesBlank = false }: LineEvents): () => void {
  const pieces: string[] = [];
  const take = (isWhole: boolean): void => {
    const line = pieces.splice(0).join('');
    if (line.trim() !== '' || (takesBlank && isWhole)) onLine(line);
  };
  input.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n');
    pieces.push(first);
    for (const next of others) {
      take(true);
      pieces.push(next);
    }
  });
  if (onEnd) input.on('end', onEnd);
  return () => take(false);
}
