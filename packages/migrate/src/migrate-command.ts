/** `sigil migrate`: moves a project from another framework. */
import { sources, runProgram, versionOfCli, type FillCommand, type Shell } from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import { migrateNest, type Migration } from './migrate-nest';
import { showCounts, showFiles, showNotices } from './show-migration';
import type { Source } from './sources/source';
import { MCP_NEST } from './sources/mcp-nest';
import { CORE, NEST } from './sources/packages';

/**
 * The table.
 *
 * `@nestjs/mcp` 0.0.1, as far as its public documentation describes it: the package itself was not at hand.
 * @see https://docs.nestjs.com/mcp/overview
 */
const NESTJS_MCP: Source = {
  name: 'nestjs-mcp',
  package: '@nestjs/mcp',
  title: '@nestjs/mcp',
  guide: 'fromNestjsMcp',
  remark:
    'This was written after the documentation of @nestjs/mcp 0.0.1, and not tried with the package. Read the whole change before you use it.',
  companions: ['@modelcontextprotocol/server'],
  types: { McpContext: [CORE, 'McpContext'] },
  values: { McpExecutionContext: [NEST, 'McpExecutionContext'] },
  left: {
    McpStdioServer: ['Write `stdio: true` in the options of SigilModule, and take this out.', 'nest'],
    Tool: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
    Resource: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
    ResourceTemplate: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
    Prompt: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
  },
  entryOptions: [
    ['inputSchema', 'input'],
    ['argsSchema', 'input'],
    ['outputSchema', 'output'],
    ['_meta', 'meta'],
  ],
  context: 'unknown',
  tellsErrors: 'never',
  hasTransports: false,
};

/** The state of a folder: `unknown` without git or without a repository. */
type GitState = 'clean' | 'changed' | 'unknown';

/** All of them, in the order of the help. */
const SOURCES: readonly Source[] = [MCP_NEST, NESTJS_MCP];

interface MigrateOptions {
  readonly write: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

const EXAMPLES = `
Examples:
  sigil migrate mcp-nest                  shows what would change in the project of this folder
  sigil migrate mcp-nest api --write      changes the project in api
  sigil migrate nestjs-mcp                the same for a project on @nestjs/mcp, after its documentation

Code that cannot be moved is left as it is, with a comment above it, and is listed with the page that helps. Everything
outside of the changed places stays as it is, byte for byte.`;

/** What comes after `sigil migrate`. */
export const fillMigrate: FillCommand = (command, shell) => {
  command
    .description(
      'Moves a NestJS project from MCP-Nest (@rekog/mcp-nest, versions 1 and 2) or from @nestjs/mcp to @sigil-mcp/nest.',
    )
    .addArgument(command.createArgument('<from>', 'the framework').choices(SOURCES.map(({ name }) => name)))
    .argument('[folder]', 'of the project', '.')
    .option('--write', 'change the files; otherwise the change is only shown', false)
    .option('--force', 'also write into a folder with changes that are not committed', false)
    .option('--json', 'print the counts and what is left to do as JSON, without the change', false)
    .addHelpText('after', EXAMPLES)
    .action((name: string, folder: string, options: MigrateOptions) => {
      const from = SOURCES.find((each) => each.name === name);
      return from && migrate(shell, shell.path(folder), { ...options, from });
    });
};

async function migrate(
  shell: Shell,
  folder: string,
  { write, force, json, from }: MigrateOptions & { readonly from: Source },
): Promise<void> {
  const migration = migrateNest(folder, { version: versionOfCli(), from });
  const state = await gitState(
    shell.env,
    migration.folder,
    migration.files.map(({ path }) => path),
  );
  if (write && state === 'changed' && !force) throw failure('SIGIL_MIGRATE_UNCLEAN', { folder: migration.folder });
  if (write) sources.write(migration.files, migration.folder);
  if (json) return shell.printData(JSON.stringify(asJson(migration, { write, from }), undefined, 2));
  const { styles } = shell;
  const lines = [
    ...(write ? [] : showFiles(migration, styles)),
    `${write ? 'Changed' : 'Would change'} ${showCounts(migration)}`,
    ...showNotices(migration, styles),
    ...(from.remark === undefined ? [] : ['', from.remark]),
    '',
    ...lastWords(write, state),
  ];
  shell.print(lines.join('\n'));
}

function lastWords(write: boolean, state: Awaited<ReturnType<typeof gitState>>): string[] {
  const noGit = 'The folder is in no git repository: make a copy before you add --write.';
  if (!write) return [...(state === 'unknown' ? [noGit] : []), 'Nothing was written. Add --write to change the files.'];
  return ['Run npm install, then your formatter, and build. Search for TODO(sigil) if there is something left to do.'];
}

function asJson(
  { files, counts, notices }: Migration,
  { write, from }: { readonly write: boolean; readonly from: Source },
): object {
  return {
    written: write,
    ...(from.remark !== undefined && { remark: from.remark }),
    files: files.map(({ shown }) => shown),
    counts: Object.fromEntries(counts),
    notices,
  };
}

/**
 * Asks git.
 * @param written the files that would be written: git has to know them, too
 */
async function gitState(env: NodeJS.ProcessEnv, folder: string, written: readonly string[]): Promise<GitState> {
  const ask = (...args: string[]): ReturnType<typeof runProgram> => runProgram('git', args, { cwd: folder, env });
  const { code, said } = await ask('status', '--porcelain', '--untracked-files=no', '--', '.');
  if (code !== 0) return 'unknown';
  const unknown = await ask('ls-files', '--others', '--', ...written);
  return said.trim() === '' && unknown.said.trim() === '' ? 'clean' : 'changed';
}
