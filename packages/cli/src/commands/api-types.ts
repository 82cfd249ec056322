/** `sigil types`: what a server offers, as a file of types for clients. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { writeChanges } from '../add/source-file';
import type { DeclaredEntry } from '../declared/declared-entries';
import { failure, wrongUsage } from '../failure';
import { survey } from '../inspect/survey';
import { withServer, type CommandSessionOptions, type TargetReader } from '../session/session';
import { reportingTarget } from '../targets/read-target';
import { writeApiFile } from '../types/api-file';
import type { RegisterCommand } from '../command-packages/command-package';
import { sessionOptions, typedTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';

interface TypesOptions extends ParsedSessionOptions {
  readonly out?: string;
  readonly name: string;
  readonly check: boolean;
}

const EXAMPLES = `
Examples:
  sigil types https://example.com/mcp --out src/example-api.ts
  sigil types --out client/api.ts --check

A client then knows the server: createClient<Api>({ url }). In the repository of a server, ClientOf<typeof server> gives
the same without a file.`;

/** Adds the command. */
export const registerTypes: RegisterCommand = (program, shell) => {
  const command = program
    .command('types')
    .summary('write what a server offers as types for clients')
    .description(
      'Writes the tools, prompts and resources of a server as TypeScript types, for createClient of @sigil-mcp/client. The ' +
        'target is a URL, a file, or a command after --; without one, the project in the current folder.',
    )
    .argument('[target...]', 'such as src/main.ts, http://127.0.0.1:3000/mcp or -- npx some-server')
    .option('-o, --out <file>', 'the file to write (default: stdout)')
    .option('--name <name>', 'the name of the type', readName, 'Api')
    .option('--check', 'write nothing, and fail if the file is not what would be written', false)
    .addHelpText('after', EXAMPLES);
  withSessionOptions(command).action(async (words: string[], options: TypesOptions) => {
    if (options.check && options.out === undefined) throw wrongUsage('SIGIL_CLI_TYPES_CHECK');
    const read = typedTarget(shell, words, command);
    const text = await describe(read, sessionOptions(shell, options));
    const { out } = options;
    if (out === undefined) return shell.print(text.trimEnd());
    if (!options.check) return writeChanges([{ path: shell.path(out), text }], shell.cwd);
    if (readText(shell.path(out)) !== text) throw failure('SIGIL_CLI_TYPES_DIFFER', { file: out });
  });
};

async function describe(read: TargetReader, options: TypesOptions & CommandSessionOptions): Promise<string> {
  let declared: readonly DeclaredEntry[] | undefined;
  const seen = await withServer(
    async (signal) => reportingTarget(await read(signal)),
    { ...options, onEntries: (entries) => (declared = entries) },
    survey,
  );
  return writeApiFile({ ...seen, ...(declared && { declared }) }, options.name);
}

function readName(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name;
  throw new InvalidArgumentError('It has to be the name of a TypeScript type.');
}

/** The text of a file, with the line ends that are written; undefined if it cannot be read. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}
