/** Converts texts of authors for headers. */

/** Characters that headers must not contain: control characters and those beyond Latin 1 (RFC 9110, section 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]+/g;

/** A text for a header: each invalid character becomes a space. */
export function headerText(text: string): string {
  return text.replace(FORBIDDEN, ' ');
}
