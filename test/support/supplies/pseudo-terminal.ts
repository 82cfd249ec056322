/** A terminal that a test can type at. */
import type * as NodePty from 'node-pty';

/** The library; throws where it is not built for this platform. */
export function loadPseudoTerminal(): typeof NodePty {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would fail where it is not built
  return require('node-pty') as typeof NodePty;
}

/** Whether there is one. */
export function hasPseudoTerminal(): boolean {
  try {
    return typeof loadPseudoTerminal().spawn === 'function';
  } catch {
    return false;
  }
}
