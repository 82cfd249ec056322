/** Text cut into lines of a width. */
import { stripVTControlCharacters } from 'node:util';

/** Characters that take two cells of a terminal. */
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
/** Characters that take none. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many cells of a terminal a text takes; what dresses it takes none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    width += WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;
  }
  return width;
}

/** The text, filled up with spaces to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/**
 * Cuts a text into lines, between words where that is possible; its own line ends stay.
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
  for (const character of word) {
    const last = pieces.at(-1) ?? '';
    if (last !== '' && widthOf(last + character) > width) pieces.push(character);
    else pieces[pieces.length - 1] = last + character;
  }
  return pieces;
}
