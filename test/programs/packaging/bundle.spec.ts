/** The one file that each library is: what its entries hand on, and where its stacks lead to. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const folderOf = (name: string): string => join(root, 'packages', name);

interface Manifest {
  readonly bin?: unknown;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')) as Manifest;
const libraries = readdirSync(join(root, 'packages')).filter((name) => manifestOf(name).bin === undefined);

/** What only Node has a use for, in a file of its own. */
const APART: Readonly<Record<string, readonly string[]>> = { http: ['http.node.js', 'http.node.js.map'] };

/** Scripts that run in a browser, each in a file of its own. */
const PAGE_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  apps: ['view/page-script.js'],
  testing: ['view/view-host.js'],
};

/** What Node prints for a program that may require the packages. */
function run(program: string, flags: readonly string[] = []): unknown {
  const stdout = execFileSync(process.execPath, [...flags, '-e', program], { cwd: root, encoding: 'utf8' });
  return JSON.parse(stdout);
}

describe('a library', () => {
  it.each(libraries)('%s is one file, with its source map and a thin file for each entry', (name) => {
    const entries = Object.values(manifestOf(name).exports).flatMap((target) =>
      typeof target === 'string' || !target.default.startsWith('./dist/')
        ? []
        : [target.default.slice('./dist/'.length)],
    );
    const dist = join(folderOf(name), 'dist');
    const built = readdirSync(dist, { recursive: true }).map((file) => String(file).replaceAll('\\', '/'));
    expect(built.filter((file) => /^(?!modules\/).*\.js(\.map)?$/.test(file)).sort()).toEqual(
      [...entries, ...(PAGE_SCRIPTS[name] ?? []), ...(APART[name] ?? []), `${name}.js`, `${name}.js.map`].sort(),
    );
  });

  it.each(libraries)('%s has the text of its sources in the map, so that a debugger shows them', (name) => {
    const map = JSON.parse(readFileSync(join(folderOf(name), 'dist', `${name}.js.map`), 'utf8')) as {
      readonly sources: readonly string[];
      readonly sourcesContent: readonly (string | null)[];
    };
    const ours = map.sources.filter((source) => source.endsWith('.ts'));
    expect(ours.filter((source) => !existsSync(join(folderOf(name), 'dist', source)))).toEqual([]);
    expect(map.sourcesContent.filter((text) => text === null)).toEqual([]);
  });
});

it('an entry gives out the classes of the others: nothing is there twice', () => {
  const program = `
    const entries = ['core', 'core/adapter', 'core/internal', 'core/stores', 'core/stdio'].map((name) => require('@sigil-mcp/' + name));
    const seen = new Map();
    const twice = entries.flatMap((entry) => Object.entries(entry)).filter(([name, value]) => {
      if (typeof value === 'function' && seen.has(name) && seen.get(name) !== value) return true;
      seen.set(name, value);
    });
    const errors = require('@sigil-mcp/core').ProtocolError === require('@sigil-mcp/protocol').ProtocolError;
    console.log(JSON.stringify({ twice, errors, shared: entries[0].Denial === entries[1].Denial }));`;
  expect(run(program)).toEqual({ twice: [], errors: true, shared: true });
});

it('an ES module finds every name of an entry', () => {
  const names = Object.keys(createRequire(__filename)(join(folderOf('core'), 'dist', 'index.js')) as object).sort();
  const program = `import * as core from '@sigil-mcp/core';
    console.log(JSON.stringify(Object.keys(core).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort()));`;
  expect(run(program, ['--input-type=module'])).toEqual(names);
  expect(names).toContain('createServer');
});

it('the guard of stdout comes alone: with it nothing is loaded that a program could not do without', () => {
  const program = `require('@sigil-mcp/core/stdio/guard'); console.log('stray');
    process.stderr.write(JSON.stringify(Object.keys(require.cache).map((file) => file.replaceAll('\\\\', '/').split('/dist/')[1])));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(stderr).toBe('stray\n["transports/stdio/guard.js","core.js"]');
});

it('a stack leads to the sources where Node is asked for them, and to lines that people can read where it is not', () => {
  const program = `const { createServer } = require('@sigil-mcp/core');
    try { createServer({ name: '', version: '1' }); } catch (error) { console.log(JSON.stringify(error.stack)); }`;
  expect(run(program, ['--enable-source-maps'])).toMatch(
    /defineServer .*[\\/]core[\\/]src[\\/]create-server\.ts:\d+:\d+\)/,
  );
  const [, file = '', line = ''] = /defineServer \((.*core\.js):(\d+):\d+\)/.exec(String(run(program))) ?? [];
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toMatch(/throw new .*DefinitionError\(problems\)/);
});

it('the command of the repository can be started from its node_modules', () => {
  const { status, stderr } = spawnSync(join(root, 'node_modules', '.bin', 'sigil'), ['--version'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
