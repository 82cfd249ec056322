/** Rows in columns. No column is narrower than a word; the last column has the remaining width, and wraps, or stands below the others. */
import { wrapText, padTo, widthOf } from './wrap-text';

/** A cell of a row, and its style. */
export interface Cell {
  readonly text: string;
  readonly style?: (text: string) => string;
}

/** The size of a table. */
export interface TableSize {
  /** The width of a line in terminal cells. */
  readonly width: number;
  /** The number of empty cells at the left. */
  readonly indent: number;
}

const GAP = 2;
/** The width in cells below which the last column goes under the others. */
const NARROWEST = 20;
/** The fraction of a line that a column other than the last may take, unless a word needs more. */
const LARGEST_PART = 4;

/** The lines of rows in columns. */
export function columns(rows: readonly (readonly Cell[])[], { width, indent }: TableSize): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const room = width - indent;
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
    widthOfColumn(
      rows.map((row) => row[index]?.text ?? ''),
      Math.floor(room / LARGEST_PART),
    ),
  );
  const used = widths.reduce((sum, one) => sum + one + (one > 0 ? GAP : 0), 0);
  if (used - GAP > room) return rows.flatMap((row) => oneBelowAnother(row, { width, indent }));
  const widthBeside = room - used;
  const widthBelow = room - 2 * GAP;
  return rows.flatMap((row) => {
    const isBelow = widthBeside < NARROWEST || needsMore(row[count - 1], widthBeside, widthBelow);
    const cells = row.map((cell, index) => dressed(cell, widths[index] ?? (isBelow ? widthBelow : widthBeside)));
    const lines = isBelow ? stacked(cells, widths, count) : beside(cells, widths);
    return lines.map((line) => ' '.repeat(indent) + line.trimEnd());
  });
}

/** Whether a word of a cell fits only into the greater width. */
function needsMore(cell: Cell | undefined, width: number, greater: number): boolean {
  return wordsOf(cell?.text ?? '').some((word) => widthOf(word) > width && widthOf(word) <= greater);
}

/** The width of the widest text, up to a limit that only a single word may exceed. */
function widthOfColumn(texts: readonly string[], limit: number): number {
  const widest = (parts: readonly string[]): number => Math.max(0, ...parts.map(widthOf));
  return Math.min(widest(texts), Math.max(limit, widest(texts.flatMap(wordsOf))));
}

function wordsOf(text: string): string[] {
  return text.split(/[ \n]+/);
}

/** The layout if not even single words of all columns fit next to each other. */
function oneBelowAnother([first, ...others]: readonly Cell[], { width, indent }: TableSize): string[] {
  const lines = (cell: Cell | undefined, from: number): string[] =>
    cell === undefined || cell.text === ''
      ? []
      : dressed(cell, width - from).map((line) => ' '.repeat(from) + line.trimEnd());
  return [...lines(first, indent), ...others.flatMap((cell) => lines(cell, indent + 2 * GAP))];
}

function dressed({ text, style }: Cell, width: number): string[] {
  const lines = wrapText(text, width);
  return style ? lines.map((line) => style(line)) : lines;
}

function beside(cells: readonly string[][], widths: readonly number[]): string[] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells.map((lines, index) => filled(lines[line] ?? '', widths[index])).join(''),
  );
}

function filled(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return width === 0 ? '' : padTo(text, width + GAP);
}

function stacked(cells: readonly string[][], widths: readonly number[], count: number): string[] {
  const under = cells.length === count ? (cells.at(-1) ?? []) : [];
  const head = beside(cells.slice(0, count - 1), widths);
  return [...head, ...under.filter((line) => line !== '').map((line) => ' '.repeat(2 * GAP) + line)];
}
