/** The target of a command: an address, or a program that is started for it. */

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
