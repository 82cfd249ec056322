/** Registers opened objects, so that the jest preset closes them. */

/** An object that can be closed, also more than once. */
export interface Closable {
  close(): Promise<void>;
}

/** The symbol under which the preset registers its function (`jest/close-opened.js`). */
const OPENED = Symbol.for('sigil.testing.opened');

/** Registers an object to be closed after the test. Without the preset nothing happens. */
export function noteOpened<T extends Closable>(opened: T): T {
  // The preset defines the function; no other code uses the symbol.
  const { [OPENED]: note } = globalThis as { [OPENED]?: (opened: Closable) => void };
  note?.(opened);
  return opened;
}
