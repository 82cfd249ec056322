/** Whether the first word of `sigil call` is a target, or the name of a tool of the project in this folder. */

/** An address without its scheme: a host with a port, or `localhost`. */
const ADDRESS = /^(?:[a-z0-9.-]+:\d{1,5}|\[[0-9a-f:.]+\]:\d{1,5}|localhost)(?:[/?]\S*)?$/i;
const FILE = /\.[cm]?[jt]sx?$/i;
/** The names of most entries; names that look like paths need a target before them. */
const NAME = /^[\w.-]+$/;

/** Whether a word is an address without `http://`, such as `localhost:3000/mcp`. */
export function isBareAddress(word: string): boolean {
  return ADDRESS.test(word);
}

/**
 * Whether a word names a tool or a prompt, because it cannot be a target. A file or folder of that name is a target, unless an argument
 * follows.
 * @param next the word after it
 * @param exists whether there is such a file or folder
 */
export function namesEntry(word: string, next: string | undefined, exists: (path: string) => boolean): boolean {
  if (!NAME.test(word) || isBareAddress(word) || FILE.test(word) || /^\.+$/.test(word)) return false;
  return !exists(word) || (next !== undefined && (/^[^=]+=/.test(next) || /^\s*\{/.test(next) || next === '-'));
}
