/** Wraps text into lines of a width. */
import { stripVTControlCharacters } from 'node:util';
import { withOwnSequences } from './own-sequences';
import { graphemes, widthOf } from './text-width';

/**
 * Wraps a text into lines, between words if possible; existing line ends are kept.
 * @param width in cells of a terminal
 */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 1)));
}

/**
 * Wraps sentences for a stream that is a terminal, between words if possible; for another one they stay as they are. Indented lines are code
 * or output of others, and stay as they are, too.
 */
export function wrapFor(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  text: string,
): string {
  if (isTTY !== true || !columns) return text;
  return text
    .split('\n')
    .flatMap((line) => (isIndented(line) ? [line] : wrapText(line, columns)))
    .join('\n');
}

/** Also behind a style. */
function isIndented(line: string): boolean {
  return /^\s/.test(stripVTControlCharacters(withOwnSequences(line)));
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines = [''];
  for (const word of line.split(/ +/).flatMap((word) => cutWord(word, width))) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function cutWord(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word];
  const pieces = [''];
  let used = 0;
  for (const grapheme of graphemes(word)) {
    const taken = widthOf(grapheme);
    if (used > 0 && used + taken > width) {
      pieces.push('');
      used = 0;
    }
    pieces.push(`${pieces.pop() ?? ''}${grapheme}`);
    used += taken;
  }
  return pieces;
}
