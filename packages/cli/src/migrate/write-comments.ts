/** The comments above code that is left as it is, and the lines of all notices. */
import type { MovedFile, Notice } from './moved-file';
import { addressOf } from './pages';
import { indentationAt } from './syntax';

/** Writes a comment above each place that is to do by hand. */
export function writeComments(file: MovedFile): void {
  const { lineEnd } = file.source.style;
  for (const { kind, at, reason, page } of file.notices) {
    if (kind !== 'todo') continue;
    const place = lineStart(file, at);
    const indent = indentationAt(file.text, place);
    file.edits.insert(place, `${indent}// TODO(sigil): ${reason} ${addressOf(page)}${lineEnd}`);
  }
}

/** The start of the line of a position, outside of everything that is replaced. */
function lineStart(file: MovedFile, at: number): number {
  let place = at;
  for (;;) {
    const start = file.text.lastIndexOf('\n', file.edits.outside(place) - 1) + 1;
    const next = file.edits.outside(start);
    if (next === start) return start;
    place = next;
  }
}

/** The line of each notice in the moved text, from 1, in the order of the text. */
export function linesOfNotices(file: MovedFile, text: string): { readonly notice: Notice; readonly line: number }[] {
  return file.notices
    .map((notice) => {
      const at = Math.min(file.edits.moved(file.edits.outside(notice.at)), text.length);
      return { notice, line: text.slice(0, at).split('\n').length };
    })
    .sort((a, b) => a.line - b.line);
}
