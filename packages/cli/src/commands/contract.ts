/** `sigil contract`: writes what a server promises to a file; `sigil contract check`: says what changes of it mean. */
import { dirname, join } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { ChangeLevel, ContractChange, ServerContract } from '@sigil-mcp/contract';
import { writeChanges } from '../add/source-file';
import { describeProgram, programOf } from '../contract/describe-program';
import { readEarlier } from '../contract/earlier-contract';
import { FAILED, SUCCESS } from '../exit-status';
import { failure, reasonOf, wrongUsage } from '../failure';
import { findProject } from '../project/find-project';
import { readTarget } from '../targets/read-target';
import { interruptible } from '../terminal/interruption';
import type { RegisterCommand } from '../command-packages/command-package';
import type { Shell } from '../terminal/shell';
import { visible } from '@sigil-mcp/base';
import type { Styles } from '../terminal/styles';

interface ContractFlags {
  readonly file?: string;
  readonly against?: string;
  readonly allow: readonly ChangeLevel[];
  readonly format: 'text' | 'markdown' | 'json';
}

/** The name of the file, next to package.json. */
const LOCK_FILE = 'sigil.lock.json';

const EXAMPLES = `
Examples:
  sigil contract                                     write ${LOCK_FILE}
  sigil contract check                               compare the server with it
  sigil contract check --against origin/main         with that of another commit
  sigil contract check --against main --format markdown >> "$GITHUB_STEP_SUMMARY"

The program is run up to the point where its server would start: no provider is built, and no port is opened.
The exit status of a check is 1 for changes that are breaking or a matter of security, unless --allow names them or the
version of the server is one that they ask for.`;

/** Adds the command. */
export const registerContract: RegisterCommand = (program, shell) => {
  program
    .command('contract')
    .summary('write what a server promises, and judge changes of it')
    .description(
      `Writes everything that clients of a server may count on to ${LOCK_FILE}, for version control; or checks the server ` +
        'against it, and says of each change whether it is breaking, a matter of security, or compatible.',
    )
    .addArgument(new Argument('[action]', 'what to do').choices(['write', 'check']).default('write'))
    .argument('[file]', 'the file that defines or starts the server; that of this project if left out')
    .option('-f, --file <path>', `the contract; ${LOCK_FILE} in the project if left out`)
    .option('--against <what>', 'check: a commit or branch of git, a URL, or another file to compare with')
    .addOption(
      new Option('--allow <levels>', 'check: what does not fail, as in breaking,security')
        .argParser(readLevels)
        .default([]),
    )
    .addOption(new Option('--format <format>', 'check').choices(['text', 'markdown', 'json']).default('text'))
    .addHelpText('after', EXAMPLES)
    .action(async (action: string, named: string | undefined, options: ContractFlags) => {
      if (action === 'write') refuseOptions(options);
      await interruptible(shell, async ({ signal }) => {
        const { contract, file, folder } = await contractOfProject(shell, { named, file: options.file }, signal);
        if (action === 'write') return write(shell, contract, { file, folder });
        shell.status = await check(shell, { contract, file }, { ...options, signal });
      });
    });
};

/** @throws CliFailure for options of a check, which would do nothing */
function refuseOptions({ against, allow, format }: ContractFlags): void {
  const given = { '--against': against !== undefined, '--allow': allow.length > 0, '--format': format !== 'text' };
  const wrong = Object.entries(given).find(([, isGiven]) => isGiven);
  if (wrong) throw wrongUsage('SIGIL_CONTRACT_OPTION', { option: wrong[0] });
}

function readLevels(text: string): readonly string[] {
  const levels = text.split(',').map((level) => level.trim());
  if (levels.every((level) => ['breaking', 'security'].includes(level))) return levels;
  throw new InvalidArgumentError('Name breaking, security, or both with a comma.');
}

/** The contract of the server as it is, and the path of its file. */
async function contractOfProject(
  shell: Shell,
  { named, file }: { readonly named: string | undefined; readonly file: string | undefined },
  signal: AbortSignal,
): Promise<{ readonly contract: ServerContract; readonly file: string; readonly folder: string }> {
  const { contractOf } = await import('@sigil-mcp/contract');
  const target = programOf(await readTarget(shell, named === undefined ? [] : [named], signal));
  const contract = contractOf(await describeProgram(target, signal));
  const { folder } = findProject(dirname(target.file));
  return { contract, folder, file: file === undefined ? join(folder, LOCK_FILE) : shell.path(file) };
}

async function write(
  shell: Shell,
  contract: ServerContract,
  { file, folder }: { readonly file: string; readonly folder: string },
): Promise<void> {
  const { writeContract } = await import('@sigil-mcp/contract');
  writeChanges([{ path: file, text: writeContract(contract) }], folder);
  const count = Object.values(contract.entries).reduce((sum, entries) => sum + Object.keys(entries).length, 0);
  const shown = shell.shown(file);
  shell.print(
    `${shown} has ${count} ${count === 1 ? 'entry' : 'entries'} in ${contract.revisions.length} revisions. Commit it.`,
  );
}

/** @returns the exit status */
async function check(
  shell: Shell,
  { contract, file }: { readonly contract: ServerContract; readonly file: string },
  { against, allow, format, signal }: ContractFlags & { readonly signal: AbortSignal },
): Promise<number> {
  const { askedVersion, changesMarkdown, compareContracts, isAtLeast, readContract } =
    await import('@sigil-mcp/contract');
  const earlier = await readEarlier(shell, { against, file }, signal);
  if (!earlier) return printFirst(shell, format);
  const before = readOr(() => readContract(earlier.text, earlier.name), earlier.name);
  const changes = compareContracts(before, contract);
  const asked = askedVersion(before.server.version, changes);
  const isRaised = asked !== undefined && isAtLeast(contract.server.version, asked);
  const isFine = changes.every(
    ({ level }) => level === 'compatible' || allow.includes(level) || (isRaised && level === 'breaking'),
  );
  const verdict = { before: before.server.version, version: contract.server.version, asked, isRaised, isFine };
  if (format === 'json') shell.printData(`${JSON.stringify({ ...verdict, changes }, null, 2)}\n`);
  else if (format === 'markdown') shell.printData(`${changesMarkdown(changes)}\n${versionLine(verdict, changes)}`);
  else printText(shell, changes, { ...verdict, against });
  return isFine ? SUCCESS : FAILED;
}

/** A commit without a contract breaks nothing. @returns the exit status */
function printFirst(shell: Shell, format: ContractFlags['format']): number {
  const text = 'There is no contract to compare with: this is the first one.\n';
  if (format === 'json') shell.printData(`${JSON.stringify({ isFine: true, isFirst: true, changes: [] }, null, 2)}\n`);
  else if (format === 'markdown') shell.printData(text);
  else shell.print(text);
  return SUCCESS;
}

/** @throws CliFailure for a text that is no contract */
function readOr(read: () => ServerContract, name: string): ServerContract {
  try {
    return read();
  } catch (error) {
    const [reason = ''] = reasonOf(error).split('\n');
    throw failure('SIGIL_CONTRACT_AGAINST', { against: name, reason: reason.replace(/\.?( \[\w+\])?$/, '') });
  }
}

/** What was found. */
interface VersionVerdict {
  /** The version of the earlier contract, and that of the server. */
  readonly before: string;
  readonly version: string;
  /** The version that the changes ask for; undefined if the earlier one is no version of three numbers. */
  readonly asked: string | undefined;
  readonly isRaised: boolean;
  readonly isFine: boolean;
}

function printText(
  shell: Shell,
  changes: readonly ContractChange[],
  verdict: VersionVerdict & { readonly against: string | undefined },
): void {
  const { styles } = shell;
  if (changes.length === 0) return shell.print('The contract has not changed.');
  shell.print(
    [...changesText(changes, styles), '', `${countText(changes)}. ${versionLine(verdict, changes)}`.trimEnd()].join(
      '\n',
    ),
  );
  if (verdict.against === undefined)
    shell.report('If this is what you want, write it with npx sigil contract, and commit the file.');
}

function versionLine({ before, version, asked, isRaised }: VersionVerdict, changes: readonly ContractChange[]): string {
  if (changes.length === 0 || asked === undefined) return '';
  const words = isRaised ? `and the server has ${version}` : `but the server has ${version}`;
  return `After ${before} they ask for version ${asked}, ${words}.\n`;
}

/** One line for each change, the most serious first. */
function changesText(changes: readonly ContractChange[], styles: Styles): readonly string[] {
  const style = { breaking: styles.bad, security: styles.warn, compatible: styles.good };
  return changes.map(({ level, key, text, revisions = [] }) => {
    const where = key === undefined ? '' : `${styles.name(visible(key))}: `;
    const when = revisions.length === 0 ? '' : styles.dim(` (in ${revisions.join(', ')})`);
    return `${style[level](level.padEnd(10))}  ${where}${visible(text)}${when}`;
  });
}

/** Such as `2 breaking, 1 security, 3 compatible`. */
function countText(changes: readonly ContractChange[]): string {
  const levels: readonly ChangeLevel[] = ['breaking', 'security', 'compatible'];
  const counts = levels.map((level) => [changes.filter((each) => each.level === level).length, level] as const);
  return counts.flatMap(([count, level]) => (count === 0 ? [] : [`${count} ${level}`])).join(', ');
}
