/** `npm create @sigil-mcp my-server` is `sigil new my-server`. */
import { runCli } from '@sigil-mcp/cli';

/**
 * Scaffolds a server.
 * @param words the arguments of the command line
 * @returns the exit status
 */
export function create(words: readonly string[]): Promise<number> {
  return runCli(['new', ...words]);
}
