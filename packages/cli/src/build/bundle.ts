/** A compiled program and all that it imports, as one file. */
import { resolve } from 'node:path';
import type { BuildFailure, BuildOptions, BuildResult, Message } from 'esbuild';
import { failure } from '../failure';
import { checkOnce, readContents, type Contents } from './contents';
import { lateValidators } from './late-validators';
import type { Bundler } from './load-bundler';
import { missingPackages } from './missing-packages';
import { packageOf } from './package-of';

/** What is bundled, and how. */
export interface BundleOrder {
  readonly bundler: Bundler;
  /** Where the project begins. */
  readonly folder: string;
  /** A JavaScript file. */
  readonly entry: string;
  /** Where the bundle will be: paths in its source map are relative to it. */
  readonly outfile: string;
  /** Whether it becomes an ES module. */
  readonly esm: boolean;
  /** Packages that stay outside, and are there when it runs. */
  readonly external: readonly string[];
}

/** A bundle that is not written yet. */
export interface Bundle {
  /** The bundle and its source map, with the paths where they belong. */
  readonly files: readonly { readonly path: string; readonly contents: Uint8Array }[];
  readonly contents: Contents;
}

type Built = BuildResult<{ metafile: true; write: false }>;

/** What packages of CommonJS expect, and ES modules lack. */
const COMMON_JS = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { dirname as __dirnameOf } from 'node:path';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  'const __dirname = __dirnameOf(__filename);',
].join(' ');

/**
 * Makes one file of a program. Classes and functions keep their names, for messages and defaults are made of them.
 * @throws CliFailure with the bundler's words, or where a package would be in it twice that keeps what decorators wrote
 */
export async function bundle(order: BundleOrder): Promise<Bundle> {
  const left = new Set<string>(order.external);
  const { metafile, outputFiles } = await build(order, left);
  const contents = readContents(metafile, order.folder, left);
  checkOnce(contents);
  return { files: outputFiles, contents };
}

async function build(order: BundleOrder, left: Set<string>): Promise<Built> {
  const { bundler, folder, entry, outfile, esm, external } = order;
  const options = {
    absWorkingDir: folder,
    entryPoints: [entry],
    outfile,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    platform: 'node',
    target: 'node20',
    format: esm ? 'esm' : 'cjs',
    ...(esm && { banner: { js: COMMON_JS } }),
    keepNames: true,
    // What need not be read makes the start shorter; shorter names would not, and people read them in stacks.
    minifyWhitespace: true,
    sourcemap: true,
    legalComments: 'eof',
    external: external.flatMap((name) => [name, `${name}/*`]),
    plugins: [missingPackages(packageOf(entry)?.folder, left), lateValidators()],
  } satisfies BuildOptions;
  try {
    return await bundler.build(options);
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const errors = await bundler.formatMessages(error.errors, { kind: 'error' });
    throw explain(error.errors, errors, folder);
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error;
}

function explain(errors: readonly Message[], said: readonly string[], folder: string): Error {
  const native = errors.map(({ text }) => /No loader is configured for "\.node" files: (\S+)/.exec(text)?.[1]);
  const path = native.find((found) => found !== undefined);
  if (path !== undefined)
    return failure('SIGIL_BUILD_NATIVE', { name: packageOf(resolve(folder, path))?.name ?? path });
  return failure('SIGIL_BUILD_FAILED', { errors: said.join('').trimEnd() });
}
