/**
 * Bundles each package into one file, `dist/<package>.js`, because every loaded file takes time at start. The file contains everything
 * that the compiler wrote to `dist/modules`, with each module in its own function, so that names, scopes and the order of modules do not
 * change. The entries of `exports` are thin files that re-export names of the bundle, so that no class exists twice. A module runs when
 * the first entry that needs it is loaded, and a module that is required within a function runs when the function is called.
 * What runs in pages is bundled separately (page-bundles.mjs). What only one platform has stands in a file of its own, `dist/http.node.js`,
 * which takes everything else from the main file: a bundler for another platform then meets none of it.
 * `build.mjs` bundles after the compiler; the programs (cli, create) stay separate files, which load what a command needs.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { noteBundled } from './bundled.mjs';
import { isLibrary, readManifest } from './libraries.mjs';
import { bundlePages, isPage } from './page-bundles.mjs';

/** Package -> the folders whose modules only Node itself has a use for. */
const APART = { http: ['node'] };

const SOURCE = /^\.\/dist\/(.*)\.js$/;

/**
 * Bundles the libraries among these packages (`packages/core`), and links their programs. Returns the number of changed files.
 */
export async function bundlePackages(root, packages) {
  const begun = new Date();
  const folders = packages.map((folder) => join(root, folder));
  for (const { name, program } of folders.flatMap(programsOf)) offer(root, name, program);
  const libraries = packages.filter((folder) => isLibrary(join(root, folder)));
  const written = await Promise.all(libraries.map((folder) => bundlePackage(join(root, folder))));
  for (const folder of libraries) noteBundled(root, folder, begun);
  return written.reduce((sum, count) => sum + count, 0);
}

/** The programs of a package, by its manifest. */
function programsOf(folder) {
  if (!existsSync(join(folder, 'package.json'))) return [];
  const named = Object.entries(readManifest(folder).bin ?? {}).map(([name, path]) => ({
    name,
    program: join(folder, path),
  }));
  return named.filter(({ program }) => existsSync(program));
}

/** Links a program as npm does at installation; npm skips programs that are not compiled yet. Windows needs more than a link. */
function offer(root, name, program) {
  chmodSync(program, 0o755);
  const link = join(root, 'node_modules', '.bin', name);
  if (process.platform !== 'win32' && !existsSync(link)) symlinkSync(relative(dirname(link), program), link);
}

async function bundlePackage(folder) {
  const name = readManifest(folder).name.split('/').at(-1);
  const entries = entriesOf(folder).filter((entry) => !isPage(name, entry));
  const pages = await bundlePages(folder, name);
  const { define } = pages;
  const [files, ...exported] = await Promise.all([
    bundleAll(folder, { name, entries, define }),
    ...entries.map((entry) => namesOf(folder, entry)),
  ]);
  const thin = entries.map((entry, index) => [`${entry}.js`, writeEntry(entry, fileOf(name, entry), exported[index])]);
  return put(join(folder, 'dist'), new Map([...files, ...thin, ...pages.files]));
}

/** The bundle that holds an entry or a module, without `.js`: `http`, `http.node`. */
function fileOf(name, module) {
  const apart = (APART[name] ?? []).find((folder) => module.startsWith(`${folder}/`));
  return apart === undefined ? name : `${name}.${apart}`;
}

/** All bundles of a package: those that stand apart first, because the main one hands out the modules that they need. */
async function bundleAll(folder, { name, entries, define }) {
  const needed = new Set();
  const apart = (APART[name] ?? []).map((own) => `${name}.${own}`);
  const files = await Promise.all(
    apart.map((file) => {
      const own = entries.filter((entry) => fileOf(name, entry) === file);
      return bundle(folder, { file, entries: own, define, plugins: [fromMain(folder, name, needed)] });
    }),
  );
  const main = entries.filter((entry) => fileOf(name, entry) === name);
  const shared = [...needed].sort();
  return [...(await bundle(folder, { file: name, entries: [...main, ...shared], define })), ...files.flat()];
}

/** Takes the modules of the main file from there, and notes them in `needed`. */
function fromMain(folder, name, needed) {
  const modules = join(folder, 'dist', 'modules');
  const main = `./${name}.js`;
  return {
    name: 'from-main',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, importer, namespace }) => {
        if (namespace === 'main') return { path: main, external: true };
        const module = relative(modules, join(resolveDir, path)).replaceAll('\\', '/');
        if (importer === 'what-is-exported.js' || fileOf(name, module) !== name) return undefined;
        needed.add(module);
        return { path: module, namespace: 'main' };
      });
      bundler.onLoad({ filter: /^/, namespace: 'main' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(main)})[${JSON.stringify(path)}]();`,
      }));
    },
  };
}

/** The sources of the exports of a package, without `src` and `.ts`: `index`, `stores/index`. */
function entriesOf(folder) {
  const targets = Object.values(readManifest(folder).exports).map((target) => target.default ?? target);
  return targets.map((target) => SOURCE.exec(target)?.[1]).filter((entry) => entry !== undefined);
}

const settings = (folder) => ({
  absWorkingDir: folder,
  tsconfig: join(folder, 'tsconfig.json'),
  bundle: true,
  packages: 'external',
  platform: 'node',
  write: false,
  logLevel: 'warning',
});

/** The bundle and its source map, by their names in `dist`. */
async function bundle(folder, { file, entries, define, plugins = [] }) {
  const contents = entries.map((entry) => `exports[${JSON.stringify(entry)}] = () => require('./${entry}');\n`);
  const { outputFiles } = await build({
    ...settings(folder),
    define,
    stdin: {
      contents: contents.join(''),
      resolveDir: join(folder, 'dist', 'modules'),
      sourcefile: 'what-is-exported.js',
    },
    outfile: join(folder, 'dist', `${file}.js`),
    plugins,
    format: 'cjs',
    // Stack traces point to the sources, which the source map contains.
    sourcemap: 'linked',
    sourcesContent: true,
  });
  return outputFiles.map(({ path, text }) => [
    relative(join(folder, 'dist'), path),
    path.endsWith('.js') ? compiledAtOnce(text, path) : text,
  ]);
}

/** A module as the bundler writes it: `var require_part = __commonJS({ "dist/modules/part.js"(exports) { … } });` */
const MODULE = /(= __commonJS\()\{\n {2}"[^"\n]+"(\([\w, ]*\) \{\n[\s\S]*?^ {2}\})\n\}\);$/gm;
/** How a module is called. */
const CALLED = '(0, cb[__getOwnPropNames(cb)[0]])(';

/**
 * Puts the function of each module in parentheses: V8 compiles it with the file then. Without them, it reads the text of each module first
 * to find its end, and again when the module runs, which most of them do at every start. The lines of the source map do not change.
 */
function compiledAtOnce(text, path) {
  const found = [...text.matchAll(MODULE)].length;
  if (found === 0) return text;
  if (found !== text.split('__commonJS({').length - 1 || text.split(CALLED).length !== 2)
    throw new Error(`${path} has modules in a form that is not known.`);
  const marked = text.replace(CALLED, 'cb(').replaceAll(MODULE, '$1\n  (function$2)\n);');
  // Throws if it is not JavaScript any more.
  void new Script(marked, { filename: path });
  return marked;
}

/** The names of the values that an entry exports. No entry has a default export; the bundler adds one to a source without exports. */
async function namesOf(folder, entry) {
  const options = {
    ...settings(folder),
    entryPoints: [join('src', `${entry}.ts`)],
    outdir: 'dist',
    format: 'esm',
    metafile: true,
  };
  const { metafile } = await build(options);
  return Object.values(metafile.outputs)
    .flatMap(({ exports }) => exports)
    .filter((name) => name !== 'default')
    .sort();
}

/** In a form that Node's scanner for CommonJS exports can read, so that `import { name }` works. */
function writeEntry(entry, name, exported) {
  const path = posix.relative(posix.dirname(entry), name);
  const load = `require(${JSON.stringify(path.startsWith('.') ? `${path}.js` : `./${path}.js`)})[${JSON.stringify(entry)}]()`;
  const lines = exported.map((each) => `exports.${each} = own.${each};\n`);
  const head = `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n`;
  return exported.length > 0 ? `${head}const own = ${load};\n${lines.join('')}` : `${head}${load};\n`;
}

/** Writes changed files at once, because another process may be loading them, and removes files of earlier builds. */
function put(dist, files) {
  const stale = readdirSync(dist, { recursive: true })
    .map(String)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.js(?:\.map)?$/.test(file) && !file.startsWith('modules/') && !files.has(file));
  for (const file of stale) rmSync(join(dist, file));
  const changed = [...files].filter(([file, text]) => readText(join(dist, file)) !== text);
  for (const [file, text] of changed) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, `${file}.new`), text);
    renameSync(join(dist, `${file}.new`), join(dist, file));
  }
  return changed.length;
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
