/**
 * Compiles sources and specs for jest, each file alone, as ts-jest does. On their way to thousands of specs, the native compiler compiles all
 * files at once before jest starts, in a fifth of the time: `compileAhead`. What has changed since then, ts-jest compiles.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const root = join(__dirname, '..');
const native = join(root, 'node_modules', 'typescript-7');
const config = join(root, 'tsconfig.test.json');

/** Neither imports nor libraries are looked at, so that what a file becomes depends on that file alone: jest keeps it until the file changes. */
const EACH_ALONE = {
  noEmit: false,
  noCheck: true,
  noResolve: true,
  noLib: true,
  lib: null,
  types: [],
  paths: {},
  moduleSuffixes: ['.none'],
  sourceMap: false,
  inlineSourceMap: true,
  // Shows which text was compiled.
  inlineSources: true,
};
const MAP = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;

const hash = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex');
let knownKey;
/** What the outcome depends on besides a file. Read on demand: on a fresh clone, the compiler is installed after this file was loaded. */
const keyOfOptions = () =>
  (knownKey ??= hash(
    readFileSync(join(__dirname, 'compile-typescript.cjs'), 'utf8'),
    readFileSync(config, 'utf8'),
    readFileSync(join(root, 'tsconfig.base.json'), 'utf8'),
    readFileSync(join(native, 'package.json'), 'utf8'),
  ));
const compiled = join(root, '.sigil', 'compiled');
const ownFolder = (folder) => join(folder, keyOfOptions().slice(0, 16));

/**
 * Compiles all files of a folder that has not been compiled with these options.
 * @param run starts a program of Node in that folder and returns what it prints
 */
async function compileAhead(run, { folder = compiled, from = root, include = filesOfTests() } = {}) {
  const outDir = ownFolder(folder);
  if (existsSync(outDir)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = { ...EACH_ALONE, rootDir: from, outDir };
  const paths = include.map((path) => join(from, path));
  writeFileSync(project, JSON.stringify({ extends: config, compilerOptions, include: paths }));
  const output = await run(join(native, 'bin', 'tsc'), ['-p', project, '--pretty', 'false']);
  // Without libraries there are errors that belong to no file. Those of a file are for ts-jest to tell.
  for (const [, path] of output.matchAll(/^(\S.*\.ts)\(\d+,\d+\): error /gm))
    rmSync(compiledPath(join(from, path), { folder, from }), { force: true });
}

function filesOfTests() {
  return JSON.parse(readFileSync(config, 'utf8')).include;
}

function compiledPath(path, { folder, from }) {
  return join(ownFolder(folder), relative(from, path).replace(/ts$/, 'js'));
}

/** The code of a file that was compiled ahead with this text. */
function findCompiled(text, path, { folder = compiled, from = root } = {}) {
  const place = compiledPath(path, { folder, from });
  if (!existsSync(place)) return undefined;
  const code = readFileSync(place, 'utf8');
  const [, encoded] = MAP.exec(code) ?? [];
  if (encoded === undefined) return undefined;
  const map = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  if (map.sourcesContent?.[0] !== text) return undefined;
  const own = Buffer.from(JSON.stringify({ ...map, file: path, sourceRoot: '', sources: [path] })).toString('base64');
  return code.replace(encoded, own);
}

module.exports = {
  compileAhead,
  findCompiled,
  createTransformer(options) {
    let alone;
    // Loaded on demand: it loads TypeScript.
    const compileAlone = (...given) =>
      (alone ??= require('ts-jest').default.createTransformer(options)).process(...given);
    return {
      getCacheKey: (text, path, { configString, instrument }) =>
        hash(keyOfOptions(), text, path, configString, instrument),
      process(text, path, how) {
        const code = findCompiled(text, path);
        return code === undefined ? compileAlone(text, path, how) : { code };
      },
    };
  },
};
