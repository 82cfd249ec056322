/** Shortens texts from outside, which may have any length. */

/** Cuts a text that is longer than so many characters, and ends it with an ellipsis. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
