/** `sigil publish --check`: what a server needs before it is published. */
import { relative } from 'node:path';
import { sources, StatusLine, findProject, interruptible, type FillCommand, type Shell } from '@sigil-mcp/cli/kit';
import { failure, wrongUsage } from './errors';
import { checkPublish, type PublishCheck } from './check-publish';

const EXAMPLES = `
Example:
  sigil publish --check && npm publish --access public && mcp-publisher publish

package.json is the one source: server.json and mcpName are written from it, from .env.example and from the server. What npm
would pack is started in an empty folder. With --dry-run, files that would change are shown, and the status is 1.`;

interface PublishOptions {
  readonly check?: boolean;
  readonly dryRun: boolean;
}

/** What comes after `sigil publish`. */
export const fillPublish: FillCommand = (command, shell) => {
  command
    .description(
      'Checks a server before it is published to npm and the MCP registry, and writes server.json and mcpName.',
    )
    .option('--check', 'check and write; npm publish and mcp-publisher publish')
    .option('--dry-run', 'write nothing; a file that would change is a problem', false)
    .addHelpText('after', EXAMPLES)
    .action(({ check, dryRun }: PublishOptions) => {
      if (check !== true) throw wrongUsage('SIGIL_PUBLISH_CHECK');
      return publish(shell, dryRun);
    });
};

async function publish(shell: Shell, isDryRun: boolean): Promise<void> {
  const { folder } = findProject(shell.cwd);
  const status = new StatusLine(shell);
  const checked = await interruptible(shell, ({ signal }) =>
    checkPublish({ shell, folder, signal, during: (what, work) => status.whileWaiting(what, work) }),
  );
  const { styles } = shell;
  for (const { path, before, after } of checked.files) {
    shell.print(styles.bold(shell.shown(path)));
    shell.print(sources.showChange(before, after, { styles, secrets: [] }).join('\n'));
  }
  const { problems, files } = checked;
  for (const { file, problem, fix } of problems) shell.print(`${styles.bad('✗')} ${file}: ${problem}.\n    ${fix}`);
  if (problems.length > 0) throw failure('SIGIL_PUBLISH_PROBLEMS', { count: countOf(problems.length) });
  if (isDryRun && files.length > 0)
    throw failure('SIGIL_PUBLISH_STALE', { files: files.map(({ path }) => relative(folder, path)).join(' and ') });
  sources.write(
    files.map(({ path, after }) => ({ path, text: after })),
    folder,
  );
  shell.print(describe(shell, checked).join('\n'));
}

function describe({ styles }: Shell, { seen, packed, mcpName, files }: PublishCheck): string[] {
  const { good, bold, dim } = styles;
  const wrote = files.length > 0 ? ', server.json is up to date now' : ', server.json is up to date';
  return [
    `${good('✓')} ${bold(mcpName ?? '')} can be published${wrote}`,
    ...(seen
      ? [
          `  ${dim('packed by npm:')} ${packed.length} files`,
          `  ${dim('started from an empty folder:')} ${seen.tools.length} tools, revisions ${seen.spoken.join(', ')}`,
        ]
      : []),
  ];
}

function countOf(count: number): string {
  return count === 1 ? '1 problem' : `${count} problems`;
}
