/** The questions of `sigil new` at a terminal; questions that an option answers are left out. */
import type * as clack from '@clack/prompts' with { 'resolution-mode': 'import' };
import { basename } from 'node:path';
import { reasonOf } from '../failure';
import { PACKAGE_MANAGERS, packageManagerOf, type PackageManager } from './installers';
import {
  DEFAULT_FOLDER,
  proposeName,
  whyRefused,
  type Answers,
  type TemplateChoice,
  type TransportChoice,
} from './project-choices';
import { checkIsFree, stopped } from './write-project';
import type { Shell } from '../terminal/shell';
import { runProgram } from './run-program';

/** The prompt library, loaded only at a terminal. */
type Prompts = typeof clack;

const TRANSPORT: clack.SelectOptions<TransportChoice> = {
  message: 'How do clients reach it?',
  options: [
    { value: 'stdio', label: 'stdio', hint: 'an application on the same machine starts it' },
    { value: 'http', label: 'HTTP', hint: 'it is deployed and has a URL' },
    { value: 'both', label: 'both', hint: 'stdio, and HTTP with --http' },
  ],
};
const TEMPLATE: clack.SelectOptions<TemplateChoice> = {
  message: 'What is in it?',
  options: [
    { value: 'empty', label: 'nothing yet', hint: 'a server without features' },
    { value: 'tools', label: 'an example', hint: 'a tool, a resource and a prompt that keep notes' },
    { value: 'database', label: 'an example over a store', hint: 'in memory; a database can replace it' },
  ],
  initialValue: 'tools',
};
const TOKENS: clack.SelectOptions<boolean> = {
  message: 'Who may call it over HTTP?',
  options: [
    { value: false, label: 'anyone who can reach it' },
    { value: true, label: 'callers with a token', hint: 'OAuth; with an issuer for development' },
  ],
};
const MODULES: clack.SelectOptions<boolean> = {
  message: 'Which kind of modules?',
  options: [
    { value: false, label: 'CommonJS', hint: 'as in NestJS and most servers' },
    { value: true, label: 'ES modules', hint: '"type": "module"' },
  ],
};

/**
 * Asks for the missing answers.
 * @param said answers from options
 * @throws CliFailure if the user cancels
 */
export async function askAnswers(shell: Shell, said: Answers): Promise<Required<Answers>> {
  const prompts = await import('@clack/prompts');
  const choose = <T>(question: clack.SelectOptions<T>) => ask(prompts, prompts.select(question));
  const folder = said.folder ?? (await askFolder(prompts, shell));
  const transport = said.transport ?? (await choose(TRANSPORT));
  return {
    folder,
    transport,
    template: said.template ?? (await choose(TEMPLATE)),
    // stdio needs no tokens.
    tokens: said.tokens ?? (transport !== 'stdio' && (await choose(TOKENS))),
    packageManager: said.packageManager ?? (await askPackageManager(prompts, shell)),
    esm: said.esm ?? (await choose(MODULES)),
    git: said.git ?? (await ask(prompts, prompts.confirm({ message: 'Make it a git repository?' }))),
  };
}

async function askFolder(prompts: Prompts, shell: Shell): Promise<string> {
  const typed = await ask(
    prompts,
    prompts.text({
      message: 'What is it called?',
      placeholder: DEFAULT_FOLDER,
      defaultValue: DEFAULT_FOLDER,
      validate: (value) => explainFolder(shell, value?.trim() || DEFAULT_FOLDER),
    }),
  );
  return typed.trim();
}

/** @returns the problem with a folder, in one line */
function explainFolder(shell: Shell, typed: string): string | undefined {
  const folder = shell.path(typed);
  const why = whyRefused(basename(folder));
  if (why !== undefined) return `npm refuses this name, because ${why}. How about ${proposeName(basename(folder))}?`;
  try {
    checkIsFree(folder);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

async function askPackageManager(prompts: Prompts, shell: Shell): Promise<PackageManager> {
  const running = packageManagerOf(shell.env['npm_config_user_agent']);
  const installed = await installedPackageManagers(shell);
  // The one that runs this program can be used, even if it is not on the path.
  const offered = PACKAGE_MANAGERS.filter((name) => name === running || installed.includes(name));
  if (offered.length === 1) return running;
  return ask(
    prompts,
    prompts.select<PackageManager>({
      message: 'Which package manager?',
      options: offered.map((value) => ({ value, label: value })),
      initialValue: running,
    }),
  );
}

async function ask<T>(prompts: Prompts, question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  // The library returns a symbol if the user cancelled; answers are never symbols.
  if (!prompts.isCancel(answer)) return answer as Exclude<T, symbol>;
  throw stopped();
}

/** Asks each for its version; one that cannot answer is not offered. */
async function installedPackageManagers(shell: Shell): Promise<readonly PackageManager[]> {
  const ends = await Promise.all(PACKAGE_MANAGERS.map((name) => runProgram(name, ['--version'], shell)));
  return PACKAGE_MANAGERS.filter((_name, index) => ends[index]?.code === 0);
}
