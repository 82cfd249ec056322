/** What tests open, for the jest preset to close. */

/** What has an end. It may be closed again. */
export interface Closable {
  close(): Promise<void>;
}

/** Under this name the preset takes what is opened (`jest/close-opened.js`). */
const OPENED = Symbol.for('sigil.testing.opened');

/** Hands on what was opened, so that it is closed after the test. Without the preset nobody takes it. */
export function noteOpened<T extends Closable>(opened: T): T {
  // The preset puts the function there; nobody else knows the symbol.
  const { [OPENED]: note } = globalThis as { [OPENED]?: (opened: Closable) => void };
  note?.(opened);
  return opened;
}
