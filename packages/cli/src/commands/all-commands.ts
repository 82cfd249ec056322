/** The commands, in groups, in the order in which `sigil --help` lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerAdd } from './add';
import { registerAudit } from './audit';
import { registerBuild } from './build';
import { registerOutside, type RegisterCommand } from '../command-packages/command-package';
import { registerCall } from './call';
import { registerCheck } from './check';
import { registerContract } from './contract';
import { registerDev } from './dev';
import { registerDocs } from './docs';
import { registerDoctor } from './doctor';
import { registerInstall } from './install';
import { registerInspect } from './inspect';
import { registerPrompt } from './prompt';
import { registerRead } from './read';
import { registerReplay } from './replay';
import { registerTypes } from './api-types';
import { wrongUsage } from '../failure';
import { nearestNames } from '@sigil-mcp/core/adapter';
import { codeIn, documentation, errorCodes, errorPageOf, showPage } from '../docs/pages';
import { Argument, Option, type Command as Program } from 'commander';
import { newProject } from '../scaffold/new-project';
import { PACKAGE_MANAGERS } from '../scaffold/installers';
import { TEMPLATES, TRANSPORTS, type NewOptions } from '../scaffold/project-choices';
import { withServer, type TargetReader } from '../session/session';
import { readTarget } from '../targets/read-target';
import { sessionOptions, withConnectionOptions, type ParsedSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';
import { templatesOfCli } from '../version';
import { copyFiles } from '../files/copy-files';
import { findSourceFolders } from '../files/output-folder';
import { describeLeft } from '../files/program-files';
import { findProject } from '../project/find-project';
import { shownPath } from '../project/shown-path';
import { fillCommand, OWN_PLACE } from '../command-packages/open-command';
import { candidates } from '../completion/candidates';

const TOKEN_EXAMPLES = `
Example:
  export SIGIL_TOKEN=$(sigil token https://mcp.example.com/mcp)
  sigil call https://mcp.example.com/mcp forecast city=Oslo`;

/** `sigil new [folder]`; on a terminal it asks for the options that are not given. */
const registerNew: RegisterCommand = (program, shell) => {
  program
    .command('new')
    .description('create a server in a new folder')
    .argument('[folder]', 'its folder, whose name is the name of the server (default: my-server)')
    .addOption(new Option('-t, --transport <transport>', 'how clients connect').choices(TRANSPORTS))
    .addOption(new Option('--template <template>', 'what is in it (default: tools)').choices(TEMPLATES))
    .addOption(
      new Option('-p, --package-manager <name>', 'default: the one that runs this command').choices(PACKAGE_MANAGERS),
    )
    .option('--tokens', 'callers over HTTP need a token')
    .option('--no-tokens', 'callers need no token (default)')
    .option('--esm', 'write ES modules ("type": "module")')
    .option('--no-esm', 'write CommonJS (default)')
    .option('--git', 'make it a git repository (default)')
    .option('--no-git', 'do not make it a git repository')
    .option('--no-install', 'do not install or compile anything')
    .option('-y, --yes', 'use the defaults without asking')
    .option('--packages <folder>', 'install the packages of Sigil from tarballs (npm pack) in a folder')
    .action((folder: string | undefined, options: NewOptions) => newProject(shell, folder, options));
};

/** `sigil explain <code>`; the argument may also be a whole message. */
const registerExplain: RegisterCommand = (program, shell) => {
  program
    .command('explain')
    .description('explain an error: what it means, how to fix it, and code that causes it')
    .argument('<code...>', 'the code of the error, such as SIGIL_TOOL_NAME, or its message')
    .option('--json', 'for programs')
    .action((words: readonly string[], { json }: { json?: boolean }) => {
      const text = words.join(' ');
      const code = codeIn(text);
      const page = code === undefined ? undefined : errorPageOf(code);
      if (!page) throw unknownCode(text);
      const address = `${documentation().site}${page.path}`;
      if (json === true) shell.printData(`${JSON.stringify({ code, address, text: page.text }, null, 2)}\n`);
      else showPage(shell, page.text, address);
    });
};

const COPY_EXAMPLES = `
Example, in package.json:
  "build": "tsc && sigil copy"

The compiler writes only what it compiles. Skills, views and other files that lie next to the sources have to follow it,
so that a program finds them in dist as in src. sigil dev, sigil build and tests need no copies.`;

/** `sigil copy`, in the folder of a project. */
const registerCopy: RegisterCommand = (program, shell) => {
  program
    .command('copy')
    .summary('copy skills, views and other files next to the sources to the compiled program')
    .description('Copies the files next to the sources to the output of the compiler.')
    .option('-p, --project <file>', 'the settings of the compiler', 'tsconfig.json')
    .addHelpText('after', COPY_EXAMPLES)
    .action(({ project }: { readonly project: string }) => {
      const { folder } = findProject(shell.cwd);
      const folders = findSourceFolders(folder, project);
      const { copied, left } = copyFiles(folders);
      const to = shownPath(folder, folders.output);
      const done = copied.length === 0 ? [] : [`Copied to ${to}: ${copied.join(', ')}`];
      const lines = [...done, ...describeLeft(left)];
      if (lines.length > 0) shell.print(lines.join('\n'));
    });
};

const COMPLETION_EXAMPLES = `
Examples:
  sigil completion bash >> ~/.bashrc
  sigil completion zsh > ~/.zsh/completions/_sigil      (a folder of $fpath)
  sigil completion fish > ~/.config/fish/completions/sigil.fish
  sigil completion powershell >> $PROFILE

It completes commands, options and their values. For sigil call it completes the tools of the project in the current
folder and their arguments, after sigil inspect or sigil call has listed them once.`;

/** `sigil completion <shell>`, and the command that its script calls, which is not listed. */
const registerCompletion: RegisterCommand = (program, shell) => {
  program
    .command('completion')
    .description('print a script that completes command lines in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action((name: string) => {
      const script = join(templatesOfCli(), 'completion', `${name}.template`);
      shell.printData(readFileSync(script, 'utf8'));
    });
  program
    .command('complete', { hidden: true })
    .description('print the words that fit at the end of a command line')
    .argument('[words...]')
    .action((words: readonly string[]) => {
      fillCommand(program, shell, { words, from: [OWN_PLACE] });
      const found = candidates(program, words, shell.cwd);
      if (found.length > 0) shell.printData(found.join('\n'));
    });
};

/** Commands that belong together. */
export interface CommandGroup {
  /** In the help. */
  readonly heading: string;
  readonly commands: readonly RegisterCommand[];
}

/** Every command. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { heading: 'Create:', commands: [registerNew, registerAdd, registerOutside('migrate')] },
  {
    heading: 'Develop:',
    commands: [
      registerDev,
      registerBuild,
      registerCopy,
      registerDoctor,
      registerCheck,
      registerContract,
      registerReplay,
    ],
  },
  { heading: 'Hand it on:', commands: [registerInstall, registerOutside('pack'), registerOutside('publish')] },
  {
    heading: 'Use a server:',
    commands: [
      registerInspect,
      registerCall,
      registerRead,
      registerPrompt,
      registerTypes,
      registerToken,
      registerAudit,
    ],
  },
  { heading: 'Help:', commands: [registerExplain, registerDocs, registerCompletion] },
];

function unknownCode(text: string): Error {
  const [near] = nearestNames(text.trim().toUpperCase(), errorCodes());
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
  return wrongUsage('SIGIL_CLI_NO_CODE', { text: JSON.stringify(text.slice(0, 100)), suggestion });
}

/** Adds the command. */
function registerToken(program: Program, shell: Shell): void {
  const command = program
    .command('token')
    .summary('sign in to a server and print the token')
    .description('Signs in to a server with the browser, and prints the access token. It is stored nowhere.')
    .argument('<url>', 'the address of the server')
    .addHelpText('after', TOKEN_EXAMPLES);
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
