/** `sigil audit verify`: whether audit records are whole, in files or in folders. */
import { Argument } from 'commander';
import { reportChain, reportFolders } from '../audit/describe-chain';
import { areFolders, readFiles, readFolders } from '../audit/read-chains';
import { FAILED, SUCCESS } from '../exit-status';
import { wrongUsage } from '../failure';
import { StatusLine } from '../terminal/status-line';
import type { RegisterCommand } from '../command-packages/command-package';
import type { Shell } from '../terminal/shell';

interface AuditFlags {
  readonly secretEnv: readonly string[];
  readonly head: boolean;
  readonly whole: boolean;
  readonly json: boolean;
}

const EXAMPLES = `
Examples:
  sigil audit verify audit.log
  sigil audit verify audit.log.0* audit.log          with the rotated files, the oldest first
  sigil audit verify /var/log/audit                  every chain in a folder, such as of several instances
  sigil audit verify archive/audit.log.000007 --secret-env OLD_SECRET

The secret of the audit is read from the environment variable SIGIL_AUDIT_SECRET, or those that --secret-env names.
The exit status is 1 if records were changed, removed, moved or inserted, or a file in a folder cannot be read.`;

/** Adds the command. */
export const registerAudit: RegisterCommand = (program, shell) => {
  program
    .command('audit')
    .summary('verify audit records')
    .description('Verifies the chain of audit records in files: no record was changed, removed, moved or inserted.')
    .addArgument(new Argument('<action>', 'what to do').choices(['verify']))
    .argument('<file...>', 'files of one chain, the oldest first, or folders of many')
    .option('--secret-env <name...>', 'environment variables with the secrets of the audit', ['SIGIL_AUDIT_SECRET'])
    .option('--no-head', 'the last file has no file with .head next to it, such as a copy or an output')
    .option('--whole', 'the chain has to begin with its first record', false)
    .option('--json', 'for programs', false)
    .addHelpText('after', EXAMPLES)
    .action((_: string, files: readonly string[], options: AuditFlags) => verify(shell, files, options));
};

async function verify(
  shell: Shell,
  names: readonly string[],
  { secretEnv, head, whole, json }: AuditFlags,
): Promise<void> {
  const secrets = secretEnv.map((name) => readSecret(shell.env, name));
  const options = { secrets, whole, ...(!head && { mark: false }) };
  const isFolder = areFolders(shell, names);
  const { isSound, text, value } = await new StatusLine(shell).whileWaiting('Reading the records', async () =>
    isFolder
      ? reportFolders(await readFolders(shell, names, options), shell.styles)
      : reportChain(await readFiles(shell, names, options), names, shell.styles),
  );
  shell.status = isSound ? SUCCESS : FAILED;
  shell.printData(`${json ? JSON.stringify(value, null, 2) : text.join('\n')}\n`);
}

function readSecret(env: NodeJS.ProcessEnv, name: string): string {
  const secret = env[name];
  if (secret === undefined || secret === '') throw wrongUsage('SIGIL_AUDIT_SECRET_ENV', { name });
  return secret;
}
