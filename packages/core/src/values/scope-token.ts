/** Whether a text is a valid scope. */

/** As RFC 6749 has them, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Whether a value is the name of one scope: visible ASCII without spaces, quotes and backslashes. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value);
}
