/** `sigil pack`: a server as an MCPB bundle, which applications install with a click. */
import { existsSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import {
  ownFiles,
  StatusLine,
  commandFailures,
  findMain,
  findProject,
  interruptible,
  type FillCommand,
  type Shell,
} from '@sigil-mcp/cli/kit';
import { packServer, type PackedBundle } from './pack-server';

interface PackOptions {
  readonly out?: string;
  readonly external: readonly string[];
}

const EXAMPLES = `
Examples:
  sigil pack
  sigil pack --out notes.mcpb

The bundle has the server with its dependencies in one file, packages with native addons, and a manifest from package.json,
.env.example and the tools of the server. It is unpacked in an empty folder and started before it is written.`;

const KILOBYTE = 1000;

/** What comes after `sigil pack`. */
export const fillPack: FillCommand = (command, shell) => {
  command
    .description(
      'Makes an MCPB bundle of a server over stdio, and starts it from an empty folder before it is written.',
    )
    .argument('[entry]', 'a TypeScript or JavaScript file; the entry of this project if left out')
    .option('-o, --out <file>', 'the path of the bundle; <name>-<version>.mcpb in the project if left out')
    .option('-x, --external <package...>', 'packages to leave out', [])
    .addHelpText('after', EXAMPLES)
    .action((entry: string | undefined, options: PackOptions) => pack(shell, entry, options));
};

async function pack(shell: Shell, named: string | undefined, { out, external }: PackOptions): Promise<void> {
  const entry = named === undefined ? findMain(shell.cwd) : shell.path(named);
  if (!existsSync(entry)) throw commandFailures.wrongUsage('SIGIL_BUILD_FILE', { file: entry });
  const { folder, esm } = findProject(dirname(entry));
  const extension = extname(entry);
  const status = new StatusLine(shell);
  const packed = await interruptible(shell, ({ signal }) =>
    packServer({
      ...{ shell, entry, folder, external, signal },
      esm: extension.startsWith('.m') || (esm && !extension.startsWith('.c')),
      outfile: out === undefined ? undefined : shell.path(out),
      during: (what, work) => status.whileWaiting(what, work),
    }),
  );
  shell.print(describe(shell, packed).join('\n'));
}

function describe(shell: Shell, { path, bytes, files, left, seen, variables, native }: PackedBundle): string[] {
  const { good, bold, dim } = shell.styles;
  const secrets = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const asked = variables.map(({ name }) => (secrets.includes(name) ? `${name} (secret)` : name));
  return [
    `${good('✓')} ${bold(shell.shown(path))}  ${Math.ceil(bytes / KILOBYTE)} kB, ${files.length} files`,
    `  ${dim('started from an empty folder:')} ${seen.tools.length} tools, revisions ${seen.spoken.join(', ')}`,
    ...(asked.length > 0 ? [`  ${dim('applications ask for:')} ${asked.join(', ')}`] : []),
    ...(native.length > 0 ? [`  runs on ${process.platform} only, because of ${native.join(', ')}`] : []),
    ...ownFiles.describeLeft(left),
  ];
}
