/** What a developer reads at the terminal of `sigil dev`: the log of the server, and the lines of calls. */
import { systemClock } from '@sigil-mcp/core/adapter';
import type { Shell } from '../terminal/shell';
import { wantsColors } from '../terminal/styles';
import { wrapFor } from '../terminal/wrap-text';
import { CallLines } from './call-lines';

/** The server writes through our process, so it cannot see itself whether people read its output at a terminal. */
export function terminalVariables({ stderr, env }: Shell): NodeJS.ProcessEnv {
  const { SIGIL_LOG_FORMAT, FORCE_COLOR } = env;
  return {
    ...(stderr.isTTY && SIGIL_LOG_FORMAT === undefined && { SIGIL_LOG_FORMAT: 'pretty' }),
    ...(wantsColors(stderr, env) && FORCE_COLOR === undefined && { FORCE_COLOR: '1' }),
  };
}

/** The lines of calls, if the log of the server is for people. */
export function callLines(shell: Shell): CallLines | undefined {
  const { SIGIL_LOG_FORMAT: format = shell.stderr.isTTY ? 'pretty' : 'json' } = shell.env;
  if (format !== 'pretty') return undefined;
  return new CallLines({ write: (line) => tell(shell, line), styles: shell.errorStyles, clock: systemClock });
}

/** Prints a line for the developer, wrapped between words at a terminal. */
export function tell(shell: Shell, line: string): void {
  shell.report(wrapFor(shell.stderr, line));
}
