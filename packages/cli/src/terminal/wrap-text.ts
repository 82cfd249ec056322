/** Wraps text into lines of a width. */
import { stripVTControlCharacters } from 'node:util';
import { withOwnSequences } from './own-sequences';
import { segmentsOf } from '@sigil-mcp/base';

/** A text that takes as many cells as it has characters. */
const ASCII = /^[ -~]*$/;

/** Graphemes that are drawn as one picture, of any number of characters: flags, keycaps, families, skin tones. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

/**
 * Characters of two cells: wide or full-width ones in East Asian texts.
 * @see https://www.unicode.org/reports/tr11/
 */
const WIDE = new RegExp(
  '[\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff' +
    '\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{16fe0}-\\u{18cff}\\u{1aff0}-\\u{1b2fb}' +
    '\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]',
  'u',
);

/** Characters without a cell of their own: combining marks, invisible ones, and the later parts of a Hangul syllable. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;

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

/** The characters of a text as readers see them: `e` with an accent is one, and so is a flag. */
export function graphemes(text: string): string[] {
  if (ASCII.test(text)) return [...text];
  return segmentsOf(text, new Intl.Segmenter('en', { granularity: 'grapheme' }));
}

/** The number of cells that a text takes; styles take none. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(withOwnSequences(text));
  return ASCII.test(plain) ? plain.length : sum(graphemes(plain).map(widthOfGrapheme));
}

/** The text, filled up with spaces to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** A grapheme that is not a picture is as wide as its characters: terminals draw each in its own cells. */
function widthOfGrapheme(grapheme: string): number {
  return EMOJI.test(grapheme) ? 2 : sum([...grapheme].map(widthOfCharacter));
}

function widthOfCharacter(character: string): number {
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
