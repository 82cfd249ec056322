/** Rows in columns, for people: no column is too narrow for a word, and the last one is as wide as what is left, and wraps. Where a word needs more, it stands below. */
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
/** A column other than the last takes at most one of so many parts of a line, unless a word needs more. */
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

/** Whether a word of a cell fits into a greater width alone. */
function needsMore(cell: Cell | undefined, width: number, greater: number): boolean {
  return wordsOf(cell?.text ?? '').some((word) => widthOf(word) > width && widthOf(word) <= greater);
}

/** As wide as its widest text, up to a limit that only a word may pass. */
function widthOfColumn(texts: readonly string[], limit: number): number {
  const widest = (parts: readonly string[]): number => Math.max(0, ...parts.map(widthOf));
  return Math.min(widest(texts), Math.max(limit, widest(texts.flatMap(wordsOf))));
}

function wordsOf(text: string): string[] {
  return text.split(/[ \n]+/);
}

/** Where not even the words of all columns fit beside each other. */
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
