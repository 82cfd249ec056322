/** Tables, for a terminal and for a page. */

/** A table: its head, and rows of as many cells. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** For a terminal: figures to the right. */
export function writePlain({ head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** For a page. */
export function writeMarkdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Two digits that count, or all whole ones: 1234 as 1,200. */
export function short(figure: number): string {
  if (figure === 0) return '0';
  const rounded = Number(figure.toPrecision(2));
  return rounded.toLocaleString('en', { maximumFractionDigits: 3 });
}

/** A share of one as percent. */
export function percent(share: number): string {
  return `${short(share * 100)} %`;
}
