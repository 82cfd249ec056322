/** `sigil audit verify`: whether files of audit records are whole. */
import { Argument } from 'commander';
import type { LineFault, VerifiedChain } from '@sigil-mcp/audit/verify';
import { describeChain } from '../audit/describe-chain';
import { FAILED, SUCCESS } from '../exit-status';
import { reasonOf, wrongUsage } from '../failure';
import { StatusLine } from '../terminal/status-line';
import type { RegisterCommand } from './command';
import type { Shell } from '../terminal/shell';

interface AuditOptions {
  readonly secretEnv: readonly string[];
  readonly head: boolean;
  readonly whole: boolean;
  readonly json: boolean;
}

const EXAMPLES = `
Examples:
  sigil audit verify audit.log
  sigil audit verify audit.log.0* audit.log          with the rotated files, the oldest first
  sigil audit verify archive/audit.log.000007 --secret-env OLD_SECRET

The secret of the audit is read from the environment variable SIGIL_AUDIT_SECRET, or those that --secret-env names.
The exit status is 1 if records were changed, removed, moved or inserted.`;

/** Adds the command. */
export const registerAudit: RegisterCommand = (program, shell) => {
  program
    .command('audit')
    .summary('verify audit records')
    .description('Verifies the chain of audit records in files: no record was changed, removed, moved or inserted.')
    .addArgument(new Argument('<action>', 'what to do').choices(['verify']))
    .argument('<file...>', 'files of records, the oldest first')
    .option('--secret-env <name...>', 'environment variables with the secrets of the audit', ['SIGIL_AUDIT_SECRET'])
    .option('--no-head', 'the last file has no file with .head next to it, such as a copy or an output')
    .option('--whole', 'the chain has to begin with its first record', false)
    .option('--json', 'for programs', false)
    .addHelpText('after', EXAMPLES)
    .action((_: string, files: readonly string[], options: AuditOptions) => verify(shell, files, options));
};

async function verify(
  shell: Shell,
  files: readonly string[],
  { secretEnv, head, whole, json }: AuditOptions,
): Promise<void> {
  const secrets = secretEnv.map((name) => readSecret(shell.env, name));
  const chain = await new StatusLine(shell).whileWaiting('Reading the records', () =>
    read(shell, files, { secrets, whole, ...(!head && { mark: false }) }),
  );
  shell.status = chain.faultCount === 0 ? SUCCESS : FAILED;
  const text = json ? asJson(chain) : describeChain(chain, files, shell.styles).join('\n');
  shell.printData(`${text}\n`);
}

/** The package is loaded by this command alone. */
async function read(
  shell: Shell,
  files: readonly string[],
  options: { readonly secrets: readonly string[]; readonly whole: boolean; readonly mark?: boolean },
): Promise<VerifiedChain> {
  const { verifyChain } = await import('@sigil-mcp/audit/verify');
  try {
    const typed = new Map(files.map((file) => [shell.path(file), file]));
    const { faults, torn, ...chain } = await verifyChain([...typed.keys()], options);
    const named = <Place extends { readonly file: string }>(place: Place): Place => ({
      ...place,
      file: typed.get(place.file) ?? place.file,
    });
    return { ...chain, faults: faults.map(named), torn: torn && named(torn) };
  } catch (error) {
    throw wrongUsage('SIGIL_AUDIT_UNREADABLE', { reason: reasonOf(error) });
  }
}

function readSecret(env: NodeJS.ProcessEnv, name: string): string {
  const secret = env[name];
  if (secret === undefined || secret === '') throw wrongUsage('SIGIL_AUDIT_SECRET_ENV', { name });
  return secret;
}

function asJson({ faults, ...chain }: VerifiedChain): string {
  const ok = chain.faultCount === 0;
  const listed = faults.map(({ file, line, fault, missing }: LineFault) => ({ file, line, fault, missing }));
  return JSON.stringify({ ok, ...chain, faults: listed }, null, 2);
}
