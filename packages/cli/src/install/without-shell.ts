/** A command as an application starts it: without a shell, so that Windows needs its own program for batch files. */
import { win32 } from 'node:path';
import { wrongUsage } from '../failure';

/** A program with its arguments. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Programs of package managers, which are batch files on Windows. */
const BATCH_FILES: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'corepack']);
/** What cmd.exe would take for its own, in quotes or not. */
const SPECIAL = /[&|<>^"\r\n]|%[^%]+%/;

/**
 * On Windows, a batch file is run by `cmd /c`; every other command is unchanged.
 * @throws CliFailure for an argument that would be another one for cmd.exe
 * @see https://learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
export function withoutShell({ command, args }: Command, platform: NodeJS.Platform): Command {
  const isBatch = /\.(?:cmd|bat)$/i.test(command) || BATCH_FILES.has(win32.basename(command).toLowerCase());
  if (platform !== 'win32' || !isBatch) return { command, args };
  const special = [command, ...args].find((word) => SPECIAL.test(word));
  if (special !== undefined) throw wrongUsage('SIGIL_INSTALL_CMD', { word: JSON.stringify(special), command });
  // A line that begins with a quote would lose it.
  return { command: 'cmd', args: ['/c', ...(/\s/.test(command) ? ['call'] : []), command, ...args] };
}
