/** Finds the package of the command that is typed, and offers to install it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { failure } from '../failure';
import { findProject, loadPackage, OWN_PLACE } from '../project/find-project';
import { ShownPrompts } from '../questions/shown-prompts';
import { whyInstallationFailed } from '../scaffold/install-project';
import { PACKAGE_MANAGERS, packageManagerOf, wordsOf } from '../scaffold/installers';
import { runProgram } from '../scaffold/run-program';
import { interruptible } from '../terminal/interruption';
import type { Shell } from '../terminal/shell';
import { versionOfCli } from '../version';
import { OUTSIDE_COMMANDS, type CommandPackage, type OutsideCommand } from './command-package';

/** Where a package is looked for. */
interface Search {
  /** The command line. */
  readonly words: readonly string[];
  /** Files that would import the package; the first that can is the one that does. */
  readonly from: readonly string[];
}

/** A command whose package is not there. */
interface Lack extends OutsideCommand {
  readonly name: string;
  readonly command: Command;
}

/**
 * Makes the typed command ready to be parsed, if it has a package of its own: next to the command line, or in the project of the current
 * folder. At a terminal, the user is asked whether to install it.
 * @throws CliFailure if it is not there, unless only its help is wanted
 */
export async function openCommand(program: Command, shell: Shell, words: readonly string[]): Promise<void> {
  const search = { words, from: [OWN_PLACE, join(shell.cwd, 'package.json')] };
  const lack = fillCommand(program, shell, search);
  if (!lack) return;
  const install = installationOf(shell, lack);
  if (words[0] === 'help' || words.some((word) => word === '--help' || word === '-h')) {
    lack.command.addHelpText(
      'after',
      `\nIts options are in the package ${lack.package}, which is not installed: ${install}`,
    );
    return;
  }
  await offerPackage(shell, lack);
  if (fillCommand(program, shell, search)) throw failure('SIGIL_CLI_PACKAGE', { ...wordsFor(lack), install });
}

/** Fills the command that the words name from its package. @returns the command if its package is not there */
export function fillCommand(program: Command, shell: Shell, { words, from }: Search): Lack | undefined {
  const found = outsideCommandOf(program, words[0] === 'help' ? words.slice(1) : words);
  if (!found) return undefined;
  const loaded = loadPackage<CommandPackage>(found.package, from);
  if (!loaded) return found;
  loaded.commands[found.name]?.(found.command, shell);
  return undefined;
}

function outsideCommandOf(program: Command, words: readonly string[]): Lack | undefined {
  for (const [name, outside] of Object.entries(OUTSIDE_COMMANDS)) {
    const path = name.split(' ');
    if (path.some((word, index) => words[index] !== word)) continue;
    let command: Command | undefined = program;
    for (const word of path) command = command?.commands.find((one) => one.name() === word);
    if (command) return { ...outside, name, command };
  }
  return undefined;
}

/**
 * Asks whether to install a package, and does it.
 * @throws CliFailure without a terminal, or if the user declines
 */
export async function offerPackage(shell: Shell, lack: Pick<Lack, 'name' | 'package'>): Promise<void> {
  const install = installationOf(shell, lack);
  const said = { ...wordsFor(lack), install };
  if (!shell.canAsk) throw failure('SIGIL_CLI_PACKAGE', said);
  const { folder } = findProject(shell.cwd);
  await interruptible(shell, async ({ signal }) => {
    const prompts = await ShownPrompts.load(shell);
    const message = `${said.command} is in the package ${lack.package}. Install it (${install})?`;
    const answer = await prompts.confirm({ message, signal, initialValue: true });
    signal.throwIfAborted();
    if (answer !== true) throw failure('SIGIL_CLI_PACKAGE', said);
    const [manager = 'npm', ...args] = install.split(' ');
    const ended = await runProgram(manager, args, { cwd: folder, env: shell.env, signal });
    signal.throwIfAborted();
    if (ended.code === 0) return;
    throw failure('SIGIL_CLI_PACKAGE_FAILED', { ...said, reason: whyInstallationFailed(manager, ended) });
  });
}

function wordsFor({ name, package: home }: Pick<Lack, 'name' | 'package'>): { command: string; name: string } {
  return { command: `sigil ${name}`, name: home };
}

/** The command that installs a package in the version of this command line, with the package manager of the project. */
export function installationOf({ cwd, env }: Shell, { package: name }: Pick<Lack, 'package'>): string {
  const { folder } = findProject(cwd);
  const locked = PACKAGE_MANAGERS.find((each) => existsSync(join(folder, wordsOf(each).lockfile)));
  const { addForDevelopment } = wordsOf(locked ?? packageManagerOf(env['npm_config_user_agent']));
  return `${addForDevelopment} ${name}@${versionOfCli()}`;
}
