/**
 * Lets class-validator load each decorator on first use. Its main file loads all of them: 791 files with the telephone numbers of all
 * countries, a third of the start of a small server. It takes them from one file, which only exports what other files have. A stand-in for
 * that file has the same exports, and loads the file of a name when the name is read.
 *
 * It is used only where nothing can differ: in Node itself, outside of bundles and jest, with the version that the table was made from,
 * and before class-validator is loaded. Everywhere else class-validator loads as ever. So it does for ES modules that import it:
 * Node looks up its files before any module runs, and ES modules read all names at once.
 */
import { DECORATOR_FILES, TABLE_SIZE, TABLE_VERSION } from './decorator-files';

/**
 * Puts the stand-in among the modules that Node has loaded, if that is safe.
 * @param storage the module with the metadata of class-validator: in a bundle it is not one of Node's
 * @returns the same module
 */
export function withLateDecorators<Storage>(storage: Storage): Storage {
  try {
    if (isNode()) standIn(storage);
  } catch {
    // Something is not where it should be: class-validator loads as ever.
  }
  return storage;
}

/** Platforms without CommonJS have no name of this file; others have modules of their own. */
function isNode(): boolean {
  return typeof __filename === 'string' && (process.versions['bun'] ?? process.versions['deno']) === undefined;
}

function standIn(storage: unknown): void {
  const Module = process.getBuiltinModule('node:module');
  const own = Module.createRequire(__filename);
  const metadata = own.resolve('class-validator/cjs/metadata/MetadataStorage');
  const { cache } = own;
  if (cache[metadata]?.exports !== storage) return;
  const paths = process.getBuiltinModule('node:path');
  const compiled = paths.join(metadata, '..', '..');
  const path = paths.join(compiled, 'decorator', 'decorators.js');
  if (path in cache || paths.join(compiled, 'index.js') in cache || !isKnown(path, paths.join(compiled, '..'))) return;
  const module = new Module(path);
  cache[path] = Object.assign(module, { filename: path, loaded: true, exports: exportsOf(module, cache) });
}

/** Whether the table is about an installation; its files may have been patched. */
function isKnown(path: string, folder: string): boolean {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  const manifest = readFileSync(`${folder}/package.json`, 'utf8');
  return (
    (JSON.parse(manifest) as { version?: unknown }).version === TABLE_VERSION && statSync(path).size === TABLE_SIZE
  );
}

/** The exports in the shape that the compiler gives to `export * from`. All at once, because that takes half of the time. */
function exportsOf(module: NodeModule, cache: NodeJS.Dict<NodeModule>): object {
  const all: PropertyDescriptorMap = { __esModule: { value: true } };
  for (const line of DECORATOR_FILES.trim().split('\n')) {
    const [file, ...names] = line.split(' ');
    for (const name of names) {
      let value: unknown;
      all[name] = { enumerable: true, get: () => (value ??= load(`./${file}.js`, name, module, cache)) };
    }
  }
  return Object.create(Object.prototype, all) as object;
}

function load(file: string, name: string, module: NodeModule, cache: NodeJS.Dict<NodeModule>): unknown {
  try {
    const value = (module.require(file) as Record<string, unknown>)[name];
    if (value !== undefined) return value;
  } catch {
    // The file that needs all of them says what is wrong.
  }
  return loadAll(module, cache)[name];
}

/** The exports of the file that the stand-in stands for. */
function loadAll(module: NodeModule, cache: NodeJS.Dict<NodeModule>): Record<string, unknown> {
  delete cache[module.id];
  try {
    return module.require(module.id) as Record<string, unknown>;
  } finally {
    cache[module.id] = module;
  }
}
