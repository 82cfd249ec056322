/** Text of strangers, made safe for a terminal and for people: what a terminal would obey, and what nobody would see, is shown instead. */

/** Control characters other than a tab and the end of a line, and those that turn the direction of writing round. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/**
 * What is drawn as nothing, and is read by a model all the same: spaces without width, marks of direction, tags, fillers. Joiners stay where
 * they join (after a mark, a letter that is not Latin, or a picture), and the two selectors of pictures stay after one.
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
/** Colours and weights, which programs give their logs. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const COLORS = /\u001b\[[\d;:]*m/g;

/**
 * The text with each character that a terminal would obey, or nobody would see, as an escape such as `\u001b`; a line that ends as on Windows ends
 * as everywhere. JSON stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(OBEYED, escaped).replace(UNSEEN, escaped);
}

/** What a program wrote to its own stderr or stdout, without its colours; the rest is made visible. */
export function visibleLine(line: string): string {
  return visible(line.replace(COLORS, ''));
}

/** Each half of a pair by itself, as JSON has it. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
