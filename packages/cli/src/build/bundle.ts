/** A compiled program and everything that it imports, as one file. */
import { resolve } from 'node:path';
import type { BuildFailure, BuildOptions, BuildResult, Message } from 'esbuild';
import { failure } from '../failure';
import { renameBesideFiles, type BesideFiles } from './beside-files';
import { checkOnce, readContents, type Contents } from './contents';
import { lateValidators } from './late-validators';
import type { Bundler } from './load-bundler';
import { missingPackages } from './missing-packages';
import { nativePackages, type LeftOutside } from './native-packages';
import { ownModules } from './own-modules';
import { installedPackageOf, packageOf } from './package-of';
import { requiredJson } from './required-json';

/** The program to bundle, and the options. */
export interface BundleOrder {
  readonly bundler: Bundler;
  /** The root folder of the project. */
  readonly folder: string;
  /** A JavaScript file. */
  readonly entry: string;
  /** The path of the bundle: paths in its source map are relative to it. */
  readonly outfile: string;
  /** Whether to write an ES module. */
  readonly esm: boolean;
  /** Packages that stay outside, and have to be installed where the bundle runs. */
  readonly external: readonly string[];
}

/** A bundle that is not written yet. */
export interface Bundle {
  /** The bundle and its source map, with their paths. */
  readonly files: readonly { readonly path: string; readonly contents: Uint8Array }[];
  readonly contents: Contents;
  /** What the program reads at run time, and where it looks for it next to the bundle. */
  readonly beside: BesideFiles;
}

/** An order, and where files next to the sources are collected. */
interface CollectingOrder extends BundleOrder {
  readonly beside: BesideFiles;
}

type Built = BuildResult<{ metafile: true; write: false }>;

/** Globals that CommonJS packages expect, and that ES modules do not have. */
const COMMON_JS = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { dirname as __dirnameOf } from 'node:path';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  'const __dirname = __dirnameOf(__filename);',
].join(' ');

/**
 * Bundles a program into one file. Classes and functions keep their names, because messages and defaults use them.
 * @throws CliFailure with the bundler's error, or if a package that stores metadata would be included twice
 */
export async function bundle(order: BundleOrder): Promise<Bundle> {
  const left: LeftOutside = new Map(order.external.map((name) => [name, undefined]));
  const beside: BesideFiles = new Map();
  const { metafile, outputFiles } = await buildWithout({ ...order, beside }, left);
  const contents = readContents(metafile, order.folder, left);
  checkOnce(contents);
  return { files: outputFiles, contents, beside };
}

/** Importing a native addon as a file reveals its package only when it is bundled: then the bundle is made again without that package. */
async function buildWithout(order: CollectingOrder, left: LeftOutside): Promise<Built> {
  try {
    return await build(order, left);
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const addons = addonsIn(error.errors, order.folder);
    const names = addons.flatMap((file) => installedPackageOf(file)?.name ?? []);
    if (names.length > 0 && !names.every((name) => left.has(name))) {
      for (const name of names) left.set(name, 'native addon');
      return buildWithout(order, left);
    }
    const [own] = addons;
    if (own !== undefined) throw failure('SIGIL_BUILD_NATIVE', { file: own });
    const errors = await order.bundler.formatMessages(error.errors, { kind: 'error' });
    throw failure('SIGIL_BUILD_FAILED', { errors: errors.join('').trimEnd() });
  }
}

async function build(order: CollectingOrder, left: LeftOutside): Promise<Built> {
  const { bundler, folder, entry, outfile, esm, beside } = order;
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
    // Less whitespace shortens the start; shorter names would not, and people read them in stack traces.
    minifyWhitespace: true,
    sourcemap: true,
    legalComments: 'eof',
    external: [...left.keys()].flatMap((name) => [name, `${name}/*`]),
    plugins: [
      nativePackages(left, outfile),
      missingPackages(packageOf(entry)?.folder, left),
      lateValidators(),
      ownModules(requiredJson, renameBesideFiles(folder, beside)),
    ],
  } satisfies BuildOptions;
  return bundler.build(options);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error;
}

/** The files of native addons that the bundler could not read. */
function addonsIn(errors: readonly Message[], folder: string): string[] {
  const paths = errors.map(({ text }) => /No loader is configured for "\.node" files: (\S+)/.exec(text)?.[1]);
  return paths.flatMap((path) => (path === undefined ? [] : resolve(folder, path)));
}
