/** `sigil migrate`: moves a project from another framework. */
import { sources, runProgram, versionOfCli, type FillCommand, type Shell, type Styles } from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import { migrateNest, type Migration, type MovedText, type PlacedNotice } from './migrate-nest';
import { type Source, addressOf } from './sources/source';
import { MCP_NEST } from './sources/mcp-nest';
import { CORE, NEST } from './sources/packages';

/** Lines that were added and taken away. */
interface LineCount {
  readonly added: number;
  readonly removed: number;
}

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

/** The change of every file. */
function showFiles({ files }: Migration, styles: Styles): string[] {
  return files.flatMap(({ shown, before, text }) => {
    const { added, removed } = countLines({ before, text });
    const lines = sources.changedLines(before, text).map(([sign, line]) => {
      if (sign === '…') return styles.dim('  …');
      const whole = `${sign} ${line}`.trimEnd();
      if (sign === ' ') return styles.dim(whole);
      return sign === '+' ? styles.good(whole) : styles.bad(whole);
    });
    return [styles.bold(`${shown}  +${added} -${removed}`), ...lines, ''];
  });
}

/** What was moved, in one line. */
function showCounts({ files, counts }: Migration): string {
  const all = files.map(countLines);
  const added = all.reduce((sum, each) => sum + each.added, 0);
  const removed = all.reduce((sum, each) => sum + each.removed, 0);
  const moved = [...counts].map(([what, count]) => `${count} ${count === 1 ? what.replace(/s$/, '') : what}`);
  return `${files.length} files, +${added} -${removed} lines: ${moved.join(', ')}.`;
}

/** What is left, and what differs. */
function showNotices({ notices }: Migration, styles: Styles): string[] {
  const of = (kind: PlacedNotice['kind']): PlacedNotice[] => notices.filter((notice) => notice.kind === kind);
  const lines = (found: readonly PlacedNotice[]): string[] =>
    found.flatMap(({ place, reason, page }) => [`  ${place}  ${reason}`, styles.dim(`    ${addressOf(page)}`)]);
  const [todos, notes] = [of('todo'), of('note')];
  return [
    ...(todos.length > 0 ? ['', `To do by hand, and marked with TODO(sigil): ${todos.length}`, ...lines(todos)] : []),
    ...(notes.length > 0 ? ['', `Moved, and different from before: ${notes.length}`, ...lines(notes)] : []),
  ];
}

/** Counts the lines that a change adds and takes away. */
function countLines({ before, text }: Pick<MovedText, 'before' | 'text'>): LineCount {
  const signs = sources.changedLines(before, text).map(([sign]) => sign);
  return {
    added: signs.filter((sign) => sign === '+').length,
    removed: signs.filter((sign) => sign === '-').length,
  };
}
