/** What a command connects to: an address, or a program that is started for it. */

/** A server that runs already. */
export interface UrlTarget {
  readonly kind: 'url';
  readonly url: URL;
}

/** A server that is started and ended with the command. */
export interface CommandTarget {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  /** The name that a person would give the program. */
  readonly label: string;
  /** The source file that was named or found, where the program is one of Node; it may just export its server. */
  readonly file?: string;
}

/** An address or a program. */
export type Target = UrlTarget | CommandTarget;

/** What to call a target in a sentence. */
export function labelOf(target: Target): string {
  return target.kind === 'url' ? target.url.href : `"${target.label}"`;
}
