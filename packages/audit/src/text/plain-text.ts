/** Texts of clients in a record: bounded, on one line, and without what changes how a terminal shows them. */

/** C1 controls, marks of direction, separators of lines, and the byte order mark; JSON escapes the other controls. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** @returns the text as JSON, with quotes */
export function plainText(text: string, longest: number): string {
  const written = JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
  return written.replace(INVISIBLE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
