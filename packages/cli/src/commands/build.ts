/** `sigil build`: a server and all that it needs, as one file. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Option, type Command as Program } from 'commander';
import { TARGETS, type BuildTarget } from '../build/build-target';
import { bundleServer, type Bundle, type BundleOrder } from '../build/bundle';
import { checkCodeCache, codeFile, filesBehind, makeCodeCache, writeLoader } from '../build/code-cache';
import { describeBundle } from '../build/describe-bundle';
import { recordShapes } from '../build/registry-data';
import { wrongUsage, failure } from '../failure';
import { describeLeft, type LeftOut } from '../files/program-files';
import { compileApart } from '../project/compile-apart';
import { findMain, findProject } from '../project/find-project';
import { interruptible } from '../terminal/interruption';
import { StatusLine } from '../terminal/status-line';
import type { Shell } from '../terminal/shell';
import { checkInside, writeFailure, writeFiles } from '../write-files';
import { copyBesideFiles } from '../build/beside-files';

interface BuildCommandOptions {
  readonly out?: string;
  readonly target: BuildTarget;
  readonly codeCache?: true;
  readonly registryData?: true;
  readonly fastStart?: true;
  readonly external: readonly string[];
}

const EXAMPLES = `
Example:
  sigil build
  sigil build --fast-start
  sigil build src/worker.ts --target worker
  sigil build src/main.ts --out bundle/server.cjs --external pdfkit

The project's own compiler compiles it first, because decorators need the types that it emits; then the bundle is made.
One file starts faster than many, and a container or a function needs nothing else. Packages with native addons stay
outside automatically, and are listed.`;

/** Adds the command. */
export function registerBuild(program: Program, shell: Shell): void {
  program
    .command('build')
    .summary('bundle a server into one file')
    .description('Compiles a server and bundles it with its dependencies into one file, with a source map.')
    .argument('[entry]', 'a TypeScript or JavaScript file; the entry of this project if left out')
    .option(
      '-o, --out <file>',
      'the path of the file; bundle/<name of the entry>.cjs or .mjs in the project if left out',
    )
    .option('-x, --external <package...>', 'packages to leave out; install them where the bundle runs', [])
    .addOption(
      new Option('-t, --target <platform>', 'where the bundle runs: on Node, on AWS Lambda, or on Cloudflare Workers')
        .choices(Object.keys(TARGETS))
        .default('node'),
    )
    .option(
      '--registry-data',
      'store the schemas of all classes in the bundle, for a faster start; loads the bundle once',
    )
    .option(
      '--code-cache',
      'store the code that V8 compiles next to the bundle, for a faster start; loads the bundle once',
    )
    .option('--fast-start', 'the same as --registry-data --code-cache')
    .addHelpText('after', EXAMPLES)
    .action((entry: string | undefined, options: BuildCommandOptions) => build(shell, entry, options));
}

async function build(
  shell: Shell,
  named: string | undefined,
  { out, external, target, fastStart, codeCache = fastStart, registryData = fastStart }: BuildCommandOptions,
): Promise<void> {
  if (codeCache) checkCodeCache(target, out);
  const entry = named === undefined ? findMain(shell.cwd) : shell.path(named);
  if (!existsSync(entry)) throw wrongUsage('SIGIL_BUILD_FILE', { file: entry });
  const { folder, esm: isOwn } = kindOf(entry);
  // What V8 has compiled can only be stored of a script.
  const esm = codeCache ? false : (TARGETS[target].esm ?? isOwn);
  const name = basename(entry, extname(entry));
  const outfile = out === undefined ? join(folder, 'bundle', `${name}.${esm ? 'mjs' : 'cjs'}`) : shell.path(out);
  const file = codeCache ? codeFile(outfile) : outfile;
  const status = new StatusLine(shell);
  const made = await interruptible(shell, async ({ signal }) => {
    const compiled = /\.[cm]?ts$/.test(entry)
      ? await status.whileWaiting('Compiling', () => compileApart(shell, entry, signal))
      : entry;
    const program = { entry: compiled, entryIsModule: isOwn, outfile: file, esm: isModule(file, esm) };
    return write({ ...program, folder, target, external }, registryData === true, { shell, status, signal });
  });
  if (codeCache) {
    writeLoader(outfile, made.folder);
    await interruptible(shell, ({ signal }) =>
      status.whileWaiting('Loading it once', () => makeCodeCache(shell, { file, target }, signal)),
    );
  }
  const behind = codeCache ? filesBehind(outfile) : [];
  shell.print(
    [...describeBundle(made, shell.shown(outfile), shell.styles, { target, behind }), ...describeLeft(made.left)].join(
      '\n',
    ),
  );
}

interface WrittenBundle extends Bundle {
  /** The folder of the project. */
  readonly folder: string;
  /** What was not copied. */
  readonly left: readonly LeftOut[];
}

/** Writes the bundle, and with the data of its registry a second time. */
async function write(
  order: BundleOrder,
  withData: boolean,
  { shell, status, signal }: { readonly shell: Shell; readonly status: StatusLine; readonly signal: AbortSignal },
): Promise<WrittenBundle> {
  const make = async (first = ''): Promise<WrittenBundle> => {
    const made = await status.whileWaiting('Bundling', () => bundleServer({ ...order, first }));
    signal.throwIfAborted();
    return { ...made, folder: order.folder, left: writeBundle(made, order.folder) };
  };
  const made = await make();
  if (!withData) return made;
  return make(await status.whileWaiting('Loading it once', () => recordShapes(shell, order.outfile, signal)));
}

/** The folder of the project, and whether the entry is an ES module. */
function kindOf(entry: string): { readonly folder: string; readonly esm: boolean } {
  const { folder, esm } = findProject(dirname(entry));
  const extension = extname(entry);
  return { folder, esm: extension.startsWith('.m') || (esm && !extension.startsWith('.c')) };
}

/** The extension of a file takes precedence. */
function isModule(file: string, otherwise: boolean): boolean {
  const extension = extname(file);
  if (extension === '.mjs') return true;
  return extension === '.cjs' ? false : otherwise;
}

/**
 * Writes the files of a bundle, and copies the files next to it.
 * @param folder of the project: no link in it leads the bundle elsewhere
 * @returns what was left out of the copies
 * @throws CliFailure if they cannot be written; the existing files are then unchanged
 */
function writeBundle({ files, beside }: Bundle, folder: string): readonly LeftOut[] {
  const [first] = files;
  if (!first) return [];
  checkInside(dirname(first.path), folder);
  const left = copyBesideFiles(beside, { folder, target: dirname(first.path) });
  try {
    writeFiles([...files].sort(mapLast), { within: folder });
    return left;
  } catch (error) {
    throw writeFailure(error, (reason) => failure('SIGIL_BUILD_WRITE', { file: first.path, reason }));
  }
}

/** The map is renamed last: a bundle with an old map shows wrong lines, but a map without its bundle is useless. */
function mapLast({ path: one }: { readonly path: string }, { path: other }: { readonly path: string }): number {
  return one.length - other.length;
}
