/** Texts from outside have no length that could be trusted. */

/** Cuts a text that is longer than so many characters, and ends it with an ellipsis. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
