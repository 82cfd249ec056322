/** `sigil install`: puts a server into the settings of an AI application. */
import {
  findProject,
  interruptible,
  InvalidArgumentError,
  rawWords,
  type FillCommand,
  type Shell,
} from '@sigil-mcp/cli/kit';
import type { Application } from './client';
import { CLIENTS } from './clients';
import { wrongUsage } from './errors';
import { installServer, removeServer } from './install-server';
import { describeSettings, findClients, findSettings } from './list-clients';
import { thisMachine, type Machine } from './machine';
import { InstallQuestions } from './questions';

interface InstallOptions {
  readonly project?: boolean;
  readonly user?: boolean;
  readonly name?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tokenEnv?: string;
  readonly dev?: boolean;
  readonly remove?: boolean;
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const IDS = CLIENTS.map(({ id }) => id);

/** The line width if the output is not a terminal. */
const PLAIN_WIDTH = 120;

const EXAMPLES = `
Examples:
  sigil install cursor                              the server of this project, for all your folders
  sigil install vscode --project                    in .vscode/mcp.json, for everybody who opens the project
  sigil install claude-code http://localhost:3000/mcp
  sigil install codex --name notes -- npx -y @you/notes-mcp
  sigil install claude --env API_KEY --yes          takes the value of API_KEY from the environment
  sigil install zed --remove

The change is shown, and made after you agree; the file as it was is kept next to it. Values that .env.example lists are
asked for.`;

/** What comes after `sigil install`. */
export const fillInstall: FillCommand = (command, shell) => {
  command
    .description(
      'Puts a server into the settings of an AI application. The target is the folder of a project, a compiled file, a ' +
        'URL, or a command after --; without one, the project in the current folder.',
    )
    .addArgument(command.createArgument('[client]', 'the application').choices(IDS))
    .argument('[target...]', 'such as http://127.0.0.1:3000/mcp or -- npx some-server')
    .option('-n, --name <name>', 'the name of the server in the application (default: that of the package)')
    .option('--user', 'in the settings of the user, for all folders (default)')
    .option('--project', 'in the settings of the project in the current folder')
    .option(
      '-e, --env <name=value>',
      'a variable for the server; without =value, that of the environment',
      readEnv(shell),
      {},
    )
    .option('--token-env <name>', 'the variable that holds the token for a URL', readVariable)
    .option('--dev', 'start it with sigil dev, so that its tools change while you edit')
    .option('--remove', 'take the server out again')
    .option('--list', 'show the applications on this machine and their servers')
    .option('--dry-run', 'show the change, and make none')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action((client: string | undefined, words: string[], options: InstallOptions) =>
      install(shell, { id: client, words, isCommand: rawWords(command).includes('--') }, options),
    );
};

interface TypedTarget {
  /** The application. */
  readonly id: string | undefined;
  readonly words: readonly string[];
  readonly isCommand: boolean;
}

async function install(shell: Shell, { id, ...target }: TypedTarget, options: InstallOptions): Promise<void> {
  const machine = thisMachine(shell.env, findProject(shell.cwd).folder);
  if (options.list === true) return shell.print(listOf(shell, machine).join('\n'));
  await interruptible(shell, async ({ signal }) => {
    const questions = shell.canAsk && options.yes !== true ? new InstallQuestions(shell, signal) : undefined;
    const client = await chooseClient(id, machine, questions);
    const change = {
      ...{ shell, client, machine, questions, signal },
      scope: options.project === true ? ('project' as const) : ('user' as const),
      isDryRun: options.dryRun === true,
      isAgreed: options.yes === true,
    };
    if (options.remove === true) return removeServer(options.name, change);
    const { name, dev, tokenEnv: tokenVariable, env: given } = options;
    await installServer({ ...target, name, dev, tokenVariable, given }, change);
  });
}

async function chooseClient(
  id: string | undefined,
  machine: Machine,
  questions: InstallQuestions | undefined,
): Promise<Application> {
  const found = id === undefined ? findClients(machine) : CLIENTS;
  const chosen = id ?? (questions && found.length > 0 ? await questions.chooseClient(found) : undefined);
  const client = CLIENTS.find((one) => one.id === chosen);
  if (!client) throw wrongUsage('SIGIL_INSTALL_CLIENT', { clients: IDS.join(', ') });
  return client;
}

function listOf({ stdout, styles }: Shell, machine: Machine): string[] {
  const width = stdout.isTTY ? stdout.columns || PLAIN_WIDTH : PLAIN_WIDTH;
  return describeSettings(findSettings(machine), width, styles);
}

function readEnv({ env }: Shell): (text: string, before?: Readonly<Record<string, string>>) => Record<string, string> {
  return (text, before = {}) => {
    const at = text.indexOf('=');
    const name = readVariable(at === -1 ? text : text.slice(0, at));
    const value = at === -1 ? env[name] : text.slice(at + 1);
    if (value === undefined) throw new InvalidArgumentError(`${name} is not set in the environment. Write NAME=value.`);
    return { ...before, [name]: value };
  };
}

function readVariable(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text;
  throw new InvalidArgumentError('It is the name of a variable, such as API_KEY.');
}
