/** What holds for the repository as a whole and no linter sees: packages, their dependencies, and what files may name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compilerOptions } from '../../tsconfig.test.json';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string;
  engines?: { node?: string };
  exports?: Record<string, { types?: string; default?: string } | string>;
  types?: string;
  files?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = join(__dirname, '..', '..');
const readText = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const readManifest = (...path: string[]): Manifest => JSON.parse(readText(...path, 'package.json')) as Manifest;

const foldersOf = (parent: string): string[] =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, parent, entry.name, 'package.json')))
    .map((entry) => `${parent}/${entry.name}`);

const packages = foldersOf('packages');
const members = [...packages, ...foldersOf('apps')];
const { version } = JSON.parse(readText('lerna.json')) as { version: string };
const { paths }: { paths: Record<string, string[]> } = compilerOptions;

describe('every package and app', () => {
  it.each(members)('%s has the one version, also of its siblings', (folder) => {
    const manifest = readManifest(folder);
    const siblings = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies };
    expect(manifest.version).toBe(version);
    for (const [name, range] of Object.entries(siblings)) {
      if (name.startsWith('@sigil-mcp/')) expect([name, range]).toEqual([name, version]);
    }
  });

  it.each(members)('%s is licensed as the repository is', (folder) => {
    expect(readManifest(folder).license).toBe('MIT');
  });

  it.each(members)('%s is built by the root project and refers to what it depends on', (folder) => {
    const { references } = JSON.parse(readText('tsconfig.json')) as { references: { path: string }[] };
    expect(references.map(({ path }) => path)).toContain(folder);
    const own = JSON.parse(readText(folder, 'tsconfig.json')) as { references?: { path: string }[] };
    const referred = (own.references ?? []).map(({ path }) => path.split('/').at(-1));
    const siblings = Object.keys(readManifest(folder).dependencies ?? {}).filter((name) =>
      name.startsWith('@sigil-mcp/'),
    );
    expect(referred).toEqual(expect.arrayContaining(siblings.map((name) => name.replace('@sigil-mcp/', ''))));
  });
});

describe('every package', () => {
  it.each(packages)('%s can be published: exports, types, files, engines', (folder) => {
    const { exports = {}, types, files, engines, private: hidden } = readManifest(folder);
    expect(hidden).toBeUndefined();
    expect(types).toBe('./dist/index.d.ts');
    expect(files).toContain('dist');
    expect(engines?.node).toBe(readManifest().engines?.node);
    expect(exports['.']).toEqual({ types: './dist/index.d.ts', default: './dist/index.js' });
  });

  it.each(packages)('%s exports only what its sources build', (folder) => {
    for (const target of Object.values(readManifest(folder).exports ?? {})) {
      if (typeof target === 'string') continue;
      const source = (target.default ?? '').replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts');
      expect([source, existsSync(join(root, folder, source))]).toEqual([source, true]);
    }
  });

  it.each(packages)('%s is tested from its sources, by each of its names', (folder) => {
    const { name, exports = {} } = readManifest(folder);
    for (const [entry, target] of Object.entries(exports)) {
      if (typeof target === 'string' || entry === '.') continue;
      const source = (target.default ?? '').replace(/^\.\/dist\/(.*)\.js$/, `./${folder}/src/$1.ts`);
      expect([entry, paths[entry.replace('.', name)]]).toEqual([entry, [source]]);
    }
  });
});

describe('docs/dependencies.md', () => {
  const explained = readText('docs', 'dependencies.md');

  it.each(['.', ...members])('explains every dependency of %s', (folder) => {
    const manifest = readManifest(folder);
    const names = [
      manifest.dependencies,
      manifest.devDependencies,
      manifest.peerDependencies,
      manifest.optionalDependencies,
    ].flatMap((each) => Object.keys(each ?? {}));
    const missing = names.filter((name) => !name.startsWith('@sigil-mcp/') && !explained.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe('the rooms', () => {
  const { orderedFolders } = jest.requireActual<{
    orderedFolders(root: string): { folder: string; rooms: { room: string; holds: string }[] }[];
  }>(join(root, 'scripts', 'rooms.cjs'));
  const ordered = orderedFolders(root);

  it.each(ordered)('of $folder are all there, each in one place and with what it is for', ({ folder, rooms }) => {
    const names = rooms.map(({ room }) => room);
    expect(names).toEqual([...new Set(names)]);
    for (const { room, holds } of rooms) {
      expect([room, existsSync(join(root, folder, room))]).toEqual([room, true]);
      expect([room, holds.trim()]).toEqual([room, expect.stringMatching(/\w/)]);
    }
  });

  it.each(ordered)('of $folder have every folder and every source file among them', ({ folder, rooms }) => {
    const entries = new Set(['index.ts', 'main.ts', 'adapter.ts', 'internal.ts', 'create-server.ts']);
    const isEntry = (name: string): boolean => folder.endsWith('/src') && entries.has(name);
    const named = new Set(rooms.map(({ room }) => room));
    const places = readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !isEntry(name))
      .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'));
    expect(places.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('the kinds of entries', () => {
  const core = join(root, 'packages', 'core', 'src');
  const sources = filesUnder(core).filter((file) => !file.startsWith(join(core, 'kinds')));

  it('are distinguished in one folder: elsewhere nothing compares the kind of an entry, or has a table of kinds', () => {
    const comparison = /kind(?:'\])? [!=]== '(?:tool|resource|resource-template|prompt)'/;
    const table = /\[(?:'\w+', )*'resource-template'|'(?:resource-template|tool)': |Record<EntryKind,/;
    const wrong = sources.filter((file) => {
      const text = readFileSync(file, 'utf8');
      return comparison.test(text) || table.test(text);
    });
    // The definition that each kind has in lists is part of the types for authors.
    expect(wrong.map((file) => relative(core, file))).toEqual([join('context', 'entry-facts.ts')]);
  });
});

describe('no file', () => {
  const files = filesUnder(root);

  it('names a folder of one machine', () => {
    // A preceding word character or slash means a path inside something else: a URL, a relative path.
    expect(filesWith(/(?<![\w.:~/@-])\/(home|root|work|Users)\//)).toEqual([]);
  });

  it('names the host of a package registry', () => {
    expect(filesWith(/registry\.npmjs|registry\.yarnpkg|npm\.pkg\.github|"resolved": "https?:/)).toEqual([]);
  });

  it('has line ends of Windows', () => {
    expect(filesWith(/\r\n/)).toEqual([]);
  });

  function filesWith(pattern: RegExp): string[] {
    return files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => relative(root, file));
  }
});

describe('what a machine may lack', () => {
  const tests = filesUnder(root).filter(
    (file) => file.endsWith('.ts') && !file.startsWith(join(root, 'test', 'support', 'supplies')),
  );
  const textOf = new Map(tests.map((file) => [relative(root, file), readFileSync(file, 'utf8')]));
  const filesThat = (pattern: RegExp): string[] =>
    [...textOf]
      .filter(([name, text]) => name !== 'test/judges/architecture.spec.ts' && pattern.test(text))
      .map(([name]) => name);

  it('is looked for in test/support/supplies alone: nobody else knows where it is, or asks whether it must be there', () => {
    expect(filesThat(/MCP_SCHEMA_DIR|SIGIL_REQUIRE_ALL/)).toEqual([]);
    expect(filesThat(/find-official-schemas|loadSchemas/)).toEqual([]);
    expect(filesThat(/require\('node-pty'\)/)).toEqual([]);
  });

  it('is the only reason to skip a test', () => {
    expect(filesThat(/\b(?:describe|it|test)\.(?:skip|todo|only)\b|\bx(?:describe|it|test)\(/)).toEqual([]);
  });

  it('has a command that supplies it, which is one of ours or of npm', () => {
    const supplies = JSON.parse(readText('test', 'support', 'supplies', 'supplies.json')) as Record<
      string,
      { command: string }
    >;
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    for (const { command } of Object.values(supplies)) {
      const [, own] = /^npm run (\S+)/.exec(command) ?? [];
      expect([command, own === undefined ? /^npm |apt-get /.test(command) : own in scripts]).toEqual([command, true]);
    }
  });
});

/** What is ours: everything but what is installed, built or kept by tools. */
function filesUnder(folder: string): string[] {
  const foreign = new Set(['.git', '.nx', '.sigil', 'coverage', 'dist', 'node_modules']);
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (foreign.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (path === join(root, 'docs', 'reference', 'api')) return [];
    if (entry.isDirectory()) return filesUnder(path);
    // The last are there for a moment, while the site reads its configuration.
    return /\.(png|tgz|tsbuildinfo)$|\.timestamp-/.test(entry.name) ? [] : [path];
  });
}
