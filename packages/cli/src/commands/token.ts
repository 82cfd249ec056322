/** `sigil token`: signs in to a server with the browser, for programs that need a token. */
import type { Command as Program } from 'commander';
import { wrongUsage } from '../failure';
import { withServer, type TargetReader } from '../session/session';
import { readTarget } from '../targets/read-target';
import type { Shell } from '../terminal/shell';
import { sessionOptions, withConnectionOptions, type ParsedSessionOptions } from './session-options';

const EXAMPLES = `
Example:
  export SIGIL_TOKEN=$(sigil token https://mcp.example.com/mcp)
  sigil call https://mcp.example.com/mcp forecast city=Oslo`;

/** Adds the command. */
export function registerToken(program: Program, shell: Shell): void {
  const command = program
    .command('token')
    .summary('sign in to a server and print the token')
    .description('Signs in to a server with the browser, and prints the access token. It is stored nowhere.')
    .argument('<url>', 'the address of the server')
    .addHelpText('after', EXAMPLES);
  withConnectionOptions(command).action(async (url: string, typed: ParsedSessionOptions) => {
    const options = sessionOptions(shell, { ...typed, signIn: true });
    const read: TargetReader = async (signal) => {
      const found = await readTarget(shell, [url], signal);
      if (found.kind !== 'url') throw wrongUsage('SIGIL_CLI_TOKEN_URL');
      return found;
    };
    shell.print(await withServer(read, options, async () => options.credentials?.token ?? ''));
  });
}
