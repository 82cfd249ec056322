/** `npm create @sigil-mcp my-server` is `sigil new my-server`. */
import { runCli } from '@sigil-mcp/cli';
import { typedWords } from './typed-words';

/**
 * Scaffolds a server.
 * @param words the arguments of the command line
 * @returns the exit status
 */
export function create(words: readonly string[]): Promise<number> {
  // npm removes the `--` of its users, pnpm passes it on; nothing here needs one.
  const own = words.filter((word) => word !== '--');
  return runCli(['new', ...own], { typed: typedWords(process.env) });
}
