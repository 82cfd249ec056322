/** The files of a server in a bundle: one file with its dependencies, the files next to it, and packages with native addons. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, posix, sep } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import { ownFiles, type Bundle, type LeftOut } from '@sigil-mcp/cli/kit';

/** The folder of the server in the archive. */
export const SERVER_FOLDER = 'server';

/** Files that a package needs to be compiled, tested or read by people, but not to run. */
const NEEDLESS =
  /\.(?:c|cc|cpp|cxx|h|hpp|gyp|gypi|o|a|obj|pdb|tlog|mk|md|markdown|map|m?ts|cts|tsbuildinfo)$|(?:^|\/)(?:Makefile|binding\.Makefile|package-lock\.json)$/i;
const NEEDLESS_FOLDERS: ReadonlySet<string> = new Set([
  ...['test', 'tests', '__tests__', 'docs', 'doc', 'example', 'examples', 'benchmark', 'benchmarks', 'coverage'],
  ...['node_modules', 'obj.target'],
]);

/** The files of an archive. */
export interface PackedFiles {
  /** By their paths in the archive. */
  readonly files: Map<string, Uint8Array>;
  /** What is no part of the program, by paths in the project. */
  readonly left: readonly LeftOut[];
}

/** @param folder of the project */
export function packedFiles(bundle: Bundle, folder: string): PackedFiles {
  const files = new Map<string, Uint8Array>();
  for (const { path, contents } of bundle.files) {
    if (extname(path) !== '.map') files.set(`${SERVER_FOLDER}/${basename(path)}`, withoutMap(contents));
  }
  const beside = besideFiles(bundle, folder);
  for (const [path, content] of beside.files) files.set(`${SERVER_FOLDER}/${path}`, content);
  for (const name of nativeNames(bundle)) {
    const found = ownFiles.findPackage(name, folder);
    if (found !== undefined) addPackage(files, { name, folder: found, place: `${SERVER_FOLDER}/node_modules` });
  }
  return { files, left: beside.left };
}

/** Packages with native addons: they work on systems like this one only. */
export function nativeNames({ contents }: Bundle): string[] {
  return contents.left.filter((name) => name.endsWith(' (native addon)')).map((name) => name.replace(/ \(.*$/, ''));
}

/** The source map stays at home, so the line that names it goes. */
function withoutMap(contents: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(contents)
      .toString()
      .replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'),
  );
}

function besideFiles({ beside }: Bundle, folder: string): PackedFiles {
  if (beside.size === 0) return { files: new Map(), left: [] };
  const copies = mkdtempSync(join(tmpdir(), 'sigil-pack-'));
  try {
    const left = ownFiles.copyBeside(beside, { folder, target: copies });
    // All of them: a folder that the program names may have a hidden name.
    const paths = readdirSync(copies, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(copies, path)).isFile())
      .sort();
    return { files: new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(copies, path))])), left };
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

interface PlacedPackage {
  readonly name: string;
  readonly folder: string;
  /** The `node_modules` that it goes into. */
  readonly place: string;
}

/** Adds a package and its dependencies, each in the `node_modules` of its dependent, where Node finds the right version. */
function addPackage(files: Map<string, Uint8Array>, { name, folder, place }: PlacedPackage): void {
  const target = `${place}/${name}`;
  if (files.has(`${target}/package.json`)) return;
  for (const path of ownFiles.listOf(folder, isNeedless).files)
    files.set(`${target}/${path}`, readFileSync(join(folder, path)));
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!isObject(manifest)) return;
  for (const kind of ['dependencies', 'optionalDependencies']) {
    const names = manifest[kind];
    for (const dependency of isObject(names) ? Object.keys(names) : []) {
      const found = ownFiles.findPackage(dependency, folder);
      if (found !== undefined && !isAbove(files, target, dependency, found))
        addPackage(files, { name: dependency, folder: found, place: `${target}/node_modules` });
    }
  }
}

/** Whether the same package is in a `node_modules` above, so that circular dependencies end. */
function isAbove(files: ReadonlyMap<string, Uint8Array>, target: string, name: string, folder: string): boolean {
  const own = readFileSync(join(folder, 'package.json'));
  const parts = target.split('/node_modules/');
  return parts.some((_, index) => {
    const above = `${parts.slice(0, index + 1).join('/node_modules/')}/node_modules/${name}/package.json`;
    const held = files.get(above);
    return held !== undefined && own.equals(held);
  });
}

function isNeedless(path: string, isFolder: boolean): boolean {
  return isFolder ? NEEDLESS_FOLDERS.has(posix.basename(path)) : NEEDLESS.test(path);
}
