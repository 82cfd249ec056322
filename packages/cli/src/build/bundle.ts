/** A compiled program and everything that it imports, as one file. */
import { readFileSync } from 'node:fs';
import { basename, resolve, dirname } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { BuildFailure, BuildOptions, BuildResult, Message, OutputFile, StdinOptions, Plugin } from 'esbuild';
import { failure } from '../failure';
import { TARGETS, type BuildTarget } from './build-target';
import { renameBesideFiles, type BesideFiles } from './beside-files';
import { checkOnce, readContents, type Contents, ownModules, installedPackageOf, packageOf } from './contents';
import { nativePackages, type LeftOutside } from './native-packages';
import { usedValidators } from './used-validators';
import { createRequire, builtinModules } from 'node:module';

/**
 * The modules that Workers do not have with the flag `nodejs_compat`: the test of this list asks workerd for each.
 *
 * Modules of Node in a bundle for Cloudflare Workers: they can only be imported at the top of the file, and some do not exist there.
 * @see https://developers.cloudflare.com/workers/runtime-apis/nodejs/
 */
export const MISSING: ReadonlySet<string> = new Set([
  'child_process',
  'cluster',
  'console',
  'dgram',
  'domain',
  'inspector',
  'inspector/promises',
  'perf_hooks',
  'punycode',
  'readline',
  'readline/promises',
  'repl',
  'sqlite',
  'trace_events',
  'tty',
  'v8',
  'vm',
  'wasi',
  'worker_threads',
]);

// prettier-ignore

const BUILTINS: ReadonlySet<string> = new Set(builtinModules);

const NAMESPACE = 'worker-module';

/** The files that only re-export other files. */
const BARRELS = /[\\/]class-validator[\\/]cjs[\\/](?:index|decorator[\\/]decorators)\.js$/;

/** `export * from`, as the compiler writes it. */
const HANDED_ON = /^__exportStar\(require\("(?<path>[^"]+)"\), exports\);$/gm;

/** The package `reflect-metadata` and its entries. */
const REFLECT = /^reflect-metadata(?:\/lite|\/Reflect(?:\.js)?)?$/;

/**
 * JSON files that an ES module requires: `createRequire(import.meta.url)('../package.json')`. The bundler leaves such a call alone,
 * so the bundle would look for the file next to itself; a plain `require` becomes part of the bundle.
 */
const REQUIRED = /\bcreateRequire\(import\.meta\.url\)(?=\((['"])[^'"]+\.json\1\))/g;

/** Marks the plugin's own question to the bundler, so that the plugin does not handle it. */
const OWN = Symbol('asked by the plugin');

/** `exports.Sessions = `, as the compiler writes it. */
const EXPORTED = /^[ \t]*exports\.(\w+) = /gm;

/** The program to bundle, and the options. */
export interface BundleOrder {
  /** The root folder of the project. */
  readonly folder: string;
  /** A JavaScript file. */
  readonly entry: string;
  /** Whether it is an ES module. */
  readonly entryIsModule: boolean;
  /** The path of the bundle: paths in its source map are relative to it. */
  readonly outfile: string;
  /** Whether to write an ES module. */
  readonly esm: boolean;
  /** Where the bundle runs. */
  readonly target: BuildTarget;
  /** Packages that stay outside, and have to be installed where the bundle runs. */
  readonly external: readonly string[];
  /** A statement in front of the program; none if left out. */
  readonly first?: string;
}

/** A bundle that is not written yet. */
export interface Bundle {
  /** The bundle and its source map, with their paths. */
  readonly files: readonly { readonly path: string; readonly contents: Uint8Array }[];
  readonly contents: Contents;
  /** What the program reads at run time, and where it looks for it next to the bundle. */
  readonly beside: BesideFiles;
  /** Modules of Node that the program imports and its platform does not have. */
  readonly missing: ReadonlySet<string>;
}

/** An order, and where files next to the sources and missing modules are collected. */
interface CollectingOrder extends BundleOrder {
  readonly bundler: typeof Esbuild;
  readonly beside: BesideFiles;
  readonly missing: Set<string>;
  /** The exports of class-validator that the program uses; undefined if it may use all of them, or before that is known. */
  readonly validators?: ReadonlySet<string> | undefined;
  /** Whether names are shortened; false if left out. */
  readonly isSmall?: boolean;
  /** Whether the source map is part of the file, for a second step; false if left out. */
  readonly inlineMap?: boolean;
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

/** What ES modules know of themselves, in a bundle that is a CommonJS module. */
const ES_MODULE = "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;";
const META = {
  'import.meta.url': '__importMetaUrl',
  'import.meta.dirname': '__dirname',
  'import.meta.filename': '__filename',
};

/**
 * Bundles a program into one file. Classes and functions keep their names, because messages and defaults use them.
 * @throws CliFailure with the bundler's error, or if a package that stores metadata would be included twice
 */
export async function bundleServer(order: BundleOrder): Promise<Bundle> {
  // Loaded here, because no other command needs it.
  const bundler = await import('esbuild');
  const left: LeftOutside = new Map(order.external.map((name) => [name, undefined]));
  const beside: BesideFiles = new Map();
  const missing = new Set<string>();
  const collecting = { ...order, bundler, beside, missing };
  const all = await buildWithout(collecting, left);
  const validators = validatorsOf(all, order.folder);
  const known = { ...collecting, validators };
  const { isSmall } = TARGETS[order.target];
  const { metafile, outputFiles } = validators || isSmall ? await build({ ...known, isSmall }, left) : all;
  const contents = readContents(metafile, order.folder, left);
  checkOnce(contents);
  return { files: isSmall ? await shortened(known, left) : outputFiles, contents, beside, missing };
}

/**
 * A bundle with short names. They are shortened in a second step: a bundle that is made with short names at once takes a fifth longer to
 * start (`npm run starts`).
 */
async function shortened(order: CollectingOrder, left: LeftOutside): Promise<Bundle['files']> {
  const { outputFiles } = await build({ ...order, inlineMap: true }, left);
  const [{ text }] = outputFiles as [OutputFile];
  const { code, map } = await order.bundler.transform(text, {
    target: 'node20',
    minify: true,
    sourcemap: 'external',
    legalComments: 'eof',
    sourcefile: basename(order.outfile),
  });
  const write = (ending: string, contents: string): Bundle['files'][number] => ({
    path: `${order.outfile}${ending}`,
    contents: Buffer.from(contents),
  });
  const link = `//# sourceMappingURL=${basename(order.outfile)}.map\n`;
  return [write('.map', map), write('', `${code}${link}`)];
}

/** The exports of class-validator that the modules of a bundle use; undefined if that is all of them. */
function validatorsOf({ metafile }: Built, folder: string): ReadonlySet<string> | undefined {
  const paths = Object.keys(metafile.inputs).filter((path) => /\.[cm]?js$/.test(path) && !path.includes(':'));
  const files = paths.map((path) => resolve(folder, path));
  if (!files.some((file) => installedPackageOf(file)?.name === 'class-validator')) return undefined;
  const others = files.filter((file) => installedPackageOf(file)?.name !== 'class-validator');
  return usedValidators(others.map((file) => readFileSync(file, 'utf8')));
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
  const { bundler, folder, entry, entryIsModule, outfile, esm, target, beside, missing, validators } = order;
  const { isSmall = false, inlineMap = false, first = '' } = order;
  const { conditions, provided } = TARGETS[target];
  const outside = [...left.keys(), ...provided];
  const turnsToCommonJs = entryIsModule && !esm;
  const options = {
    absWorkingDir: folder,
    ...(target === 'worker' && !entryIsModule ? { stdin: workerEntry(entry) } : { entryPoints: [entry] }),
    outfile,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    platform: 'node',
    target: 'node20',
    format: esm ? 'esm' : 'cjs',
    banner: { js: `${esm && target !== 'worker' ? COMMON_JS : ''}${turnsToCommonJs ? ES_MODULE : ''}${first}` },
    ...(turnsToCommonJs && { define: META }),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
    keepNames: true,
    // Less whitespace shortens the start; shorter names would not, and people read them in stack traces.
    minifyWhitespace: true,
    minifySyntax: isSmall,
    minifyIdentifiers: isSmall,
    sourcemap: inlineMap ? 'inline' : true,
    legalComments: 'eof',
    external: outside.flatMap((name) => [name, `${name}/*`]),
    plugins: [
      ...(target === 'worker' ? [workerModules(missing)] : []),
      nativePackages(left, outfile),
      missingPackages(packageOf(entry)?.folder, left),
      lateValidators(validators),
      withoutReflectMetadata(outside.includes('reflect-metadata')),
      ownModules((text) => text.replaceAll(REQUIRED, 'require'), renameBesideFiles(folder, beside)),
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

/** A module that exports what a CommonJS file does, by the same names: its default export, and classes of Durable Objects. */
function workerEntry(file: string): StdinOptions {
  const found = [...readFileSync(file, 'utf8').matchAll(EXPORTED)].map(([, name = '']) => name);
  const names = [...new Set(found)].filter((name) => name !== 'default' && name !== '__esModule');
  const lines = [
    `const own = require(${JSON.stringify(`./${basename(file)}`)});`,
    'export default own.default;',
    ...names.map((name) => `const the_${name} = own.${name}; export { the_${name} as ${name} };`),
  ];
  return { contents: lines.join('\n'), resolveDir: dirname(file), sourcefile: 'worker-entry' };
}

/**
 * Bundles without `reflect-metadata`, unless the package stays outside of the bundle: a module with the same functions takes its place, and
 * 50 kB are gone.
 */
function withoutReflectMetadata(isOutside: boolean): Plugin {
  return {
    name: 'without-reflect-metadata',
    setup(bundler) {
      bundler.onResolve({ filter: REFLECT }, () =>
        isOutside ? undefined : { path: require.resolve('./small-reflect'), sideEffects: true },
      );
    },
  };
}

/**
 * Lets packages omit imports that are not installed; the program itself must not.
 * @param program the folder of the program's own files
 * @param left receives the names of the packages outside
 */
function missingPackages(program: string | undefined, left: LeftOutside): Plugin {
  return {
    name: 'missing-packages',
    setup(bundler) {
      bundler.onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === OWN || importer === '' || packageOf(importer)?.folder === program) return undefined;
        const found = await bundler.resolve(path, { importer, kind, resolveDir, pluginData: OWN });
        if (found.errors.length === 0) return found;
        left.set(path, undefined);
        return { path, external: true };
      });
    },
  };
}

/**
 * Loads each export of class-validator on first use.
 *
 * Validators that are loaded on first use. The main file of class-validator loads all of them, including the telephone numbers of all
 * countries, which takes a fifth of the start-up time. The package declares that its modules have no side effects.
 * @param used the exports that become part of the bundle; all of them if left out
 */
function lateValidators(used?: ReadonlySet<string>): Plugin {
  return {
    name: 'late-validators',
    setup(bundler) {
      bundler.onLoad({ filter: BARRELS }, ({ path: file }) => {
        const load = createRequire(file);
        const text = readFileSync(file, 'utf8');
        const contents = text.replaceAll(HANDED_ON, (_, path: string) => {
          const names = Object.keys(load(path) as object);
          return late(path, used ? names.filter((name) => used.has(name)) : names);
        });
        return { contents, loader: 'js' };
      });
    },
  };
}

function late(path: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const from = JSON.stringify(path);
  return `for (const name of ${JSON.stringify(names)})
  if (!Object.hasOwn(exports, name)) Object.defineProperty(exports, name, { enumerable: true, get: () => require(${from})[name] });`;
}

/**
 * Imports modules of Node at the top of the file. A module that Workers do not have throws when it is first required, so that a package
 * can do without it.
 * @param missing receives the names of modules that Workers do not have
 */
function workerModules(missing: Set<string>): Plugin {
  return {
    name: 'worker-modules',
    setup(bundler) {
      bundler.onResolve({ filter: /^[a-z]/ }, ({ path, namespace }) => {
        const name = path.replace(/^node:/, '');
        if (!(path.startsWith('node:') || BUILTINS.has(name))) return undefined;
        return namespace === NAMESPACE ? { path, external: true } : { path: name, namespace: NAMESPACE };
      });
      bundler.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path: name }) => {
        if (MISSING.has(name)) missing.add(`node:${name}`);
        return { contents: MISSING.has(name) ? throwing(name) : importing(name), loader: 'js' };
      });
    },
  };
}

function importing(name: string): string {
  const module = JSON.stringify(`node:${name}`);
  return `import * as all from ${module}; module.exports = all.default ?? all;`;
}

function throwing(name: string): string {
  const message = `Cloudflare Workers do not have the module node:${name}.`;
  return `throw Object.assign(new Error(${JSON.stringify(message)}), { code: 'MODULE_NOT_FOUND' });`;
}
