/** Makes foreign text safe for terminals and readers: control characters and invisible characters are shown as escapes. */

/** Control characters other than tabs and line ends, and characters that change the writing direction. */
// eslint-disable-next-line no-control-regex -- matching them is the purpose
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/**
 * Characters that are invisible, but that a model reads: zero-width spaces, direction marks, tags, fillers. Joiners are kept where
 * they join (after a mark, a letter that is not Latin, or a picture), and both variation selectors are kept after a picture.
 */
const UNSEEN = new RegExp(
  [
    String.raw`(?![\u200c-\u200d]|[\ufe0e-\ufe0f])\p{Default_Ignorable_Code_Point}`,
    String.raw`[\ufff9-\ufffb]`,
    String.raw`(?<![\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|(?!\p{Script=Latin})\p{L})[\u200c-\u200d]`,
    String.raw`(?<!\p{Emoji})[\ufe0e-\ufe0f]`,
  ].join('|'),
  'gu',
);
/** Colours and weights in the logs of programs. */
// eslint-disable-next-line no-control-regex -- matching them is the purpose
const COLORS = /\u001b\[[\d;:]*m/g;

/**
 * The text with each control or invisible character as an escape such as `\u001b`; line ends of Windows become ordinary line
 * ends. JSON stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(OBEYED, escaped).replace(UNSEEN, escaped);
}

/** The output of a program on stderr or stdout, without its colours, and with other control characters made visible. */
export function visibleLine(line: string): string {
  return visible(line.replace(COLORS, ''));
}

/** Each half of a surrogate pair separately, as in JSON. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
