/** The width of tables on stdout. */

/** The width if the output is not a terminal. */
const PLAIN_WIDTH = 100;
const WIDEST = 140;

/** Cells of a line. */
export function outputWidth(
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> = process.stdout,
): number {
  return isTTY ? Math.min(columns || PLAIN_WIDTH, WIDEST) : PLAIN_WIDTH;
}
