/** The target of a command: an address, or a program that is started for it. */

/** An address without its scheme: a host with a port, or `localhost`. */
const ADDRESS = /^(?:[a-z0-9.-]+:\d{1,5}|\[[0-9a-f:.]+\]:\d{1,5}|localhost)(?:[/?]\S*)?$/i;

const FILE = /\.[cm]?[jt]sx?$/i;

/** The names of most entries; names that look like paths need a target before them. */
const NAME = /^[\w.-]+$/;

/** A server that is already running. */
export interface AddressTarget {
  readonly kind: 'url';
  readonly url: URL;
}

/** A server that is started and ended by the command. */
export interface ProgramTarget {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  /** The name of the program for users. */
  readonly label: string;
  /** The source file that was given or found, if Node runs the program; it may only export its server. */
  readonly file?: string;
  /** Its folder. */
  readonly cwd: string;
  /** Its whole environment; without credentials of Sigil if the program is from elsewhere. */
  readonly env: NodeJS.ProcessEnv;
}

/** An address or a program. */
export type ServerTarget = AddressTarget | ProgramTarget;

/** The name of a target in a sentence. */
export function labelOf(target: ServerTarget): string {
  return target.kind === 'url' ? target.url.href : `"${target.label}"`;
}

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
