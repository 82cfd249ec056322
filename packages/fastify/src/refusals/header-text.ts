/** Texts of authors, on their way into a header. */

/** What no header may hold: line breaks and other control characters, and what is beyond Latin 1 (RFC 9110, section 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]+/g;

/** A text as a header can carry it: what it cannot is a space. */
export function headerText(text: string): string {
  return text.replace(FORBIDDEN, ' ');
}
