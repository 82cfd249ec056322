/** Wraps text into lines of a width. */
import { graphemes, widthOf } from './text-width';

/**
 * Wraps a text into lines, between words if possible; existing line ends are kept.
 * @param width in cells of a terminal
 */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 1)));
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
