/** Shows a page at a terminal: Markdown with its headings in bold, its code indented, its lines as wide as the terminal. */
import { wrapText } from '../terminal/wrap-text';
import type { Shell } from '../terminal/shell';

/** Cells of a line that are easy to read. */
const WIDEST = 100;

/** Prints a page and its address; unchanged where a program reads it. */
export function showPage(shell: Shell, markdown: string, address: string): void {
  const { isTTY, columns = WIDEST } = shell.stdout;
  if (!isTTY) return shell.printData(`${markdown}\n${address}\n`);
  const { bold, dim } = shell.styles;
  let isCode = false;
  const lines = markdown
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [`    ${line}`];
      if (/^#+ /.test(line)) return [bold(line.replace(/^#+ /, ''))];
      // What Markdown needs between names: `A\\_B`.
      return wrapText(line.replace(/\\([_*<>])/g, '$1'), Math.min(columns, WIDEST));
    });
  shell.print(`${lines.join('\n')}\n\n${dim(address)}`);
}
