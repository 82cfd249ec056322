/** Rows in columns, for people: the last column is as wide as what is left, and wraps. */
import { padTo, widthOf } from './text-width';
import { wrapText } from './wrap-text';

/** A cell of a row, and how it is dressed when it is written. */
export interface Cell {
  readonly text: string;
  readonly style?: (text: string) => string;
}

/** The measures of a table. */
export interface TableSize {
  /** How many cells of the terminal a line has. */
  readonly width: number;
  /** How many cells stay empty at the left. */
  readonly indent: number;
}

const GAP = 2;
/** The width below which the last column goes under the others, cells. */
const NARROWEST = 20;
/** A column other than the last takes at most one of so many parts of a line. */
const LARGEST_PART = 4;

/** The lines of rows in columns. */
export function columns(rows: readonly (readonly Cell[])[], { width, indent }: TableSize): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const room = width - indent;
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
    Math.min(Math.max(...rows.map((row) => widthOf(row[index]?.text ?? ''))), Math.floor(room / LARGEST_PART)),
  );
  const used = widths.reduce((sum, one) => sum + one + (one > 0 ? GAP : 0), 0);
  const below = room - used < NARROWEST;
  const last = below ? room - 2 * GAP : room - used;
  return rows.flatMap((row) => {
    const cells = row.map((cell, index) => dressed(cell, widths[index] ?? last));
    const lines = below ? stacked(cells, widths, count) : beside(cells, widths);
    return lines.map((line) => ' '.repeat(indent) + line.trimEnd());
  });
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
