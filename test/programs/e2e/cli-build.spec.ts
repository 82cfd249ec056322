/** What a bundle keeps of a program, what it leaves outside, and what is said where none can be made. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as validator from 'class-validator';
import { builtApp } from './built-app';
import { HttpApp } from './http-app';
import { httpJudges, stdioJudges } from './judges';
import { sigil } from './terminal';

jest.setTimeout(150_000);

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
/** A folder of its own, far from any node_modules. */
const folderWith = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-build-')));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};
const installed = (name: string, text: string, manifest: object = {}): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, ...manifest }),
  [`node_modules/${name}/index.js`]: text,
});
const program = (files: Readonly<Record<string, string>>): string =>
  folderWith({ 'package.json': '{ "name": "small" }', ...files });
const build = (folder: string, entry: string, ...words: string[]) => sigil(['build', join(folder, entry), ...words]);
const run = (file: string): string => execFileSync(process.execPath, [file], { encoding: 'utf8' });

describe('sigil build', () => {
  it.each([
    ['CommonJS', 'cjs', "const { word } = require('words'); console.log(word, require('./own').Own.name);"],
    [
      'an ES module',
      'mjs',
      "import { word } from 'words'; import { Own } from './own.js'; console.log(word, Own.name);",
    ],
  ])('makes one file of a program of %s, in which classes have their names', async (_, kind, main) => {
    const esm = kind === 'mjs';
    const folder = program({
      'package.json': JSON.stringify({ name: 'small', ...(esm && { type: 'module' }) }),
      'main.js': main,
      'own.js': `${esm ? 'export ' : ''}class Own {}\n${esm ? '' : 'exports.Own = Own;'}`,
      ...installed('words', "exports.word = require('node:path').basename(__filename) + typeof __dirname;"),
    });
    const { status, stdout, stderr } = await build(folder, 'main.js');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`main\\.${kind} {2}\\d+ kB\\n.*small 1 kB.*\\n.*node --enable-source-maps`, 's'));
    const alone = folderWith({ [`alone.${kind}`]: readFileSync(join(folder, 'bundle', `main.${kind}`), 'utf8') });
    expect(run(join(alone, `alone.${kind}`))).toBe(`alone.${kind}string Own\n`);
    expect(readdirSync(join(folder, 'bundle')).sort()).toEqual([`main.${kind}`, `main.${kind}.map`]);
  });

  it('compiles TypeScript with the types that decorators need, and errors name its lines', async () => {
    const folder = program({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ target: 'es2022', module: 'node16', types: [] },
          ...{ experimentalDecorators: true, emitDecoratorMetadata: true },
        },
      }),
      'src/main.ts': `const Reflect = globalThis.Reflect as unknown as { metadata: (key: string, value: unknown) => () => void };
declare const console: { log(text: unknown): void };
Reflect.metadata = (key, value) => (key === 'design:paramtypes' && console.log((value as { name: string }[])[0]?.name), () => {});
class Words {}
const Tool = (): MethodDecorator => () => {};
export class Feature { @Tool() take(words: Words): void { throw new Error(typeof words); } }
new Feature().take(new Words());
`,
    });
    mkdirSync(join(folder, 'node_modules'));
    const typescript = dirname(require.resolve('typescript/package.json'));
    symlinkSync(typescript, join(folder, 'node_modules', 'typescript'), 'junction');
    expect(await build(folder, 'src/main.ts')).toMatchObject({ status: 0, stderr: '' });
    const bundle = join(folder, 'bundle', 'main.cjs');
    const { stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', bundle], { encoding: 'utf8' });
    expect(stdout).toBe('Words\n');
    expect(stderr).toContain(`${join(folder, 'src', 'main.ts')}:6:`);
  });

  it('runs validators when they are asked for, and has all of them', async () => {
    const main = `const validator = require('class-validator');
console.log(JSON.stringify([Object.keys(validator).sort(), validator.IsString === validator.IsString]));
if (process.argv[2]) console.log(validator.isPhoneNumber('+41446681800'), validator.isEmail('ada@example.com'));`;
    const folder = folderWith({ 'package.json': '{ "name": "small" }', 'main.js': main });
    mkdirSync(join(folder, 'node_modules'));
    const installedAt = dirname(require.resolve('class-validator/package.json'));
    symlinkSync(installedAt, join(folder, 'node_modules', 'class-validator'), 'junction');
    expect(await build(folder, 'main.js')).toMatchObject({ status: 0, stderr: '' });
    const coverage = join(folder, 'coverage');
    const runWith = (...words: string[]): string =>
      execFileSync(process.execPath, [join(folder, 'bundle', 'main.cjs'), ...words], {
        encoding: 'utf8',
        env: { ...process.env, NODE_V8_COVERAGE: coverage },
      });
    expect(JSON.parse(runWith())).toEqual([Object.keys(validator).sort(), true]);
    const [report = ''] = readdirSync(coverage);
    const covered = readFileSync(join(coverage, report), 'utf8');
    const counts = [
      ...covered.matchAll(/"functionName":"[^"]*libphonenumber-js[^"]*","ranges":\[\{[^}]*"count":(\d+)/g),
    ];
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.filter(([, count]) => count !== '0')).toEqual([]);
    expect(runWith('all')).toContain('true true');
  });

  it('takes the files along that lie next to the sources, and finds them next to the bundle', async () => {
    // As the packages for skills and views do it: relative to the file that calls.
    const calls = `const { readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');
const read = (path) => readFileSync(resolve(dirname(__filename), path), 'utf8').trim();
exports.Skill = (path) => console.log(read(path));
exports.View = exports.view = (uri, { file }) => console.log(uri, read(file));
exports.Roles = (role) => role;
exports.skills = ({ folders }) => folders.forEach((folder) => console.log(read(folder + '/a/SKILL.md')));`;
    const folder = program({
      'main.js': "require('./orders/orders'); require('./sales/sales');",
      'calls.js': calls,
      'orders/orders.js':
        "const calls_1 = require('../calls'); (0, calls_1.Skill)('./how.md'); (0, calls_1.view)('ui://b', { name: 'b (of \\'it)', file: '../pages/b.html' }); (0, calls_1.skills)({ guards: [(0, calls_1.Roles)('staff')], /* ) */ folders: ['../skills', './none'].slice(0, 1) });",
      'orders/how.md': 'how to order',
      'sales/sales.js':
        "const { Skill, View } = require('../calls'); Skill('./how.md'); View('ui://a/(b)', { csp: {}, file: './a.html' }); console.log('./how.md');",
      'sales/how.md': 'how to sell',
      'sales/a.html': 'a page',
      'skills/a/SKILL.md': 'a skill',
      'pages/b.html': 'another page',
    });
    const { status, stdout } = await build(folder, 'main.js');
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        'belongs to it: files/orders/how.md, files/pages/b.html, files/sales/a.html, files/sales/how.md, files/skills\n',
      ),
    ]);
    const alone = folderWith();
    cpSync(join(folder, 'bundle'), alone, { recursive: true });
    rmSync(folder, { recursive: true });
    expect(run(join(alone, 'main.cjs'))).toBe(
      'how to order\nui://b another page\na skill\nhow to sell\nui://a/(b) a page\n./how.md\n',
    );
  });

  it('leaves outside what packages can do without, and what it is told to', async () => {
    const folder = program({
      'main.js': "require('one'); try { require('other'); } catch { console.log('no other'); }",
      ...installed('one', "exports.late = () => require('two');"),
      ...installed('other', ''),
    });
    const { status, stdout } = await build(folder, 'main.js', '--external', 'other');
    expect([status, stdout]).toEqual([0, expect.stringContaining('stays outside: other, two\n')]);
    const text = readFileSync(join(folder, 'bundle', 'main.cjs'), 'utf8');
    expect(run(join(folderWith({ 'alone.cjs': text }), 'alone.cjs'))).toBe('no other\n');
  });

  it.each([
    ['a binding.gyp', {}, { 'binding.gyp': '' }],
    ['a gypfile', { gypfile: true }, {}],
    ['bindings', { dependencies: { bindings: '1' } }, {}],
    ['node-gyp-build', { dependencies: { 'node-gyp-build': '4' } }, {}],
    ['prebuild-install', { dependencies: { 'prebuild-install': '7' } }, {}],
    ['what napi-rs writes', { napi: {} }, {}],
    ['an import of a .node file', {}, { 'addon.js': "exports.load = () => require('./fast.node');", 'fast.node': '' }],
  ])('leaves a package with a native addon outside, and says so: it has %s', async (_, manifest, own) => {
    // As `bindings` does, it asks the stack where its package is.
    const where = "require('./addon'); exports.where = require('node:path').basename(__dirname);";
    const files = { 'addon.js': '', ...own };
    const folder = program({
      'main.js': "console.log(require('words').where);",
      ...installed('words', "exports.where = require('@quick/fast').where;"),
      ...installed('@quick/fast', where, manifest),
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`node_modules/@quick/fast/${path}`, text])),
    });
    const { status, stdout, stderr } = await build(folder, 'main.js');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('stays outside: @quick/fast (native addon)\n');
    expect(run(join(folder, 'bundle', 'main.cjs'))).toBe('fast\n');
  });

  describe('finds a native addon that only another package can see', () => {
    /** Packages where pnpm puts them: each sees what it depends on, beside itself, and the program sees `words` alone. */
    const pnpmFiles = (manifest: object, own: Readonly<Record<string, string>> = {}): Record<string, string> => {
      const at = (store: string, name: string): string => `node_modules/.pnpm/${store}/node_modules/${name}`;
      const files = {
        'package.json': JSON.stringify({ name: '@quick/fast', ...manifest }),
        'index.js': "exports.where = __dirname.split(require('node:path').sep).at(-4);",
        'sub.js': "exports.sub = 'sub of ' + require('./index.js').where;",
        ...own,
      };
      return {
        [`${at('words@1.0.0', 'words')}/package.json`]: '{ "name": "words" }',
        [`${at('words@1.0.0', 'words')}/index.js`]:
          "exports.where = require('@quick/fast').where; exports.sub = require('@quick/fast/sub.js').sub;",
        ...Object.fromEntries(
          Object.entries(files).map(([path, text]) => [`${at('@quick+fast@2.0.0', '@quick/fast')}/${path}`, text]),
        ),
      };
    };
    const link = (folder: string, from: string, to: string): void => {
      mkdirSync(dirname(join(folder, from)), { recursive: true });
      symlinkSync(join(folder, to), join(folder, from), 'junction');
    };
    const linked = (files: Readonly<Record<string, string>>): string => {
      const folder = program(files);
      link(folder, 'node_modules/words', 'node_modules/.pnpm/words@1.0.0/node_modules/words');
      const fast = 'node_modules/.pnpm/@quick+fast@2.0.0/node_modules/@quick/fast';
      link(folder, 'node_modules/.pnpm/words@1.0.0/node_modules/@quick/fast', fast);
      return folder;
    };
    const main = "const words = require('words'); console.log(words.where, words.sub);";
    const esm = "import words from 'words'; console.log(words.where, words.sub);";
    const seen = '@quick+fast@2.0.0 sub of @quick+fast@2.0.0\n';
    const addon = { 'addon.js': "exports.load = () => require('./fast.node');", 'fast.node': '' };

    it.each([
      ['binding.gyp', 'cjs', main, { gypfile: true }, {}],
      ['binding.gyp, in an ES module', 'mjs', esm, { gypfile: true }, {}],
      [
        'an import of a .node file',
        'cjs',
        main,
        { main: 'all.js' },
        { ...addon, 'all.js': "require('./addon'); module.exports = require('./index');" },
      ],
    ])('where pnpm has installed it: %s', async (_, kind, text, manifest, own) => {
      const folder = linked({ ...pnpmFiles(manifest, own), [`main.${kind}`]: text });
      const { status, stdout, stderr } = await build(folder, `main.${kind}`);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('stays outside: @quick/fast (native addon)\n');
      expect(stdout).toMatch(/\n {2}(?:words|small) 1 kB, (?:words|small) 1 kB\n/);
      expect(run(join(folder, 'bundle', `main.${kind}`))).toBe(seen);
    });

    it('beside another version that the program sees', async () => {
      const folder = linked({
        ...pnpmFiles({ gypfile: true }),
        'main.js': `console.log(require('@quick/fast').where); ${main}`,
        ...installed('@quick/fast', "exports.where = 'own';", { gypfile: true }),
      });
      expect(await build(folder, 'main.js')).toMatchObject({ status: 0, stderr: '' });
      expect(run(join(folder, 'bundle', 'main.cjs'))).toBe(`own\n${seen}`);
    });

    it('in another place, where it is installed next to the bundle', async () => {
      const folder = linked({ ...pnpmFiles({ gypfile: true }), 'main.js': main });
      expect(await build(folder, 'main.js')).toMatchObject({ status: 0 });
      const alone = folderWith({
        'main.cjs': readFileSync(join(folder, 'bundle', 'main.cjs'), 'utf8'),
        ...installed('@quick/fast', "exports.where = 'beside';"),
        'node_modules/@quick/fast/sub.js': "exports.sub = 'sub';",
      });
      expect(run(join(alone, 'main.cjs'))).toBe('beside sub\n');
    });
  });

  it.each([
    [
      'an import of its own is not there',
      { 'main.js': "require('gone');" },
      /SIGIL_BUILD_FAILED[^]*Could not resolve "gone"[^]*main\.js:1:/,
    ],
    ['it is no JavaScript', { 'main.js': 'const = 1;' }, /SIGIL_BUILD_FAILED[^]*main\.js:1:/],
    [
      'the program itself has a native addon',
      { 'main.js': "require('./fast.node');", 'fast.node': '' },
      /fast\.node is a native addon.*SIGIL_BUILD_NATIVE[^]*Put it into a package/,
    ],
    [
      'a package that keeps metadata is there twice',
      {
        'main.js': "require('class-validator'); require('one');",
        ...installed('class-validator', ''),
        ...installed('one', "require('class-validator')"),
        ...installed('one/node_modules/class-validator', '', { name: 'class-validator' }),
      },
      /class-validator would be in the bundle twice, from .*SIGIL_BUILD_TWICE[^]*npm ls class-validator/,
    ],
  ])('says so where %s, and leaves what was there', async (_, files, said) => {
    const folder = program({ ...files, 'bundle/main.cjs': 'before' });
    const { status, stdout, stderr } = await build(folder, 'main.js');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(said);
    expect(readFileSync(join(folder, 'bundle', 'main.cjs'), 'utf8')).toBe('before');
    expect(readdirSync(join(folder, 'bundle')).sort()).toEqual(['main.cjs']);
  });

  it('leaves nothing half-written where the file cannot be written', async () => {
    const folder = program({ 'main.js': '', 'taken.cjs/file': '' });
    const { status, stderr } = await build(folder, 'main.js', '--out', join(folder, 'taken.cjs'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('SIGIL_BUILD_WRITE')]);
    expect(readdirSync(folder).sort()).toEqual(['main.js', 'package.json', 'taken.cjs']);
  });

  it('refuses an entry that is not there', async () => {
    const folder = program({});
    const { status, stderr } = await build(folder, 'src/main.ts');
    expect([status, stderr]).toEqual([2, expect.stringContaining('There is no file')]);
    expect(existsSync(join(folder, 'bundle'))).toBe(false);
  });
});

const namesOf = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

describe.each([
  ['weather', 'forecast', { city: 'oslo', days: 2, from: '2026-07-31' }],
  ['everything', 'test_simple_text', {}],
])('the bundle of apps/%s, alone in a folder', (app, tool, args) => {
  let bundle: string;
  beforeAll(async () => {
    bundle = join(folderWith(), 'server.cjs');
    const source = join(builtApp(app, '..'), 'src', 'main.ts');
    expect(await sigil(['build', source, '--out', bundle])).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(stdioJudges)('shows and answers to $title what the app does', async ({ spawn }) => {
    const [own, bundled] = await Promise.all([spawn(builtApp(app)), spawn(bundle)]);
    try {
      expect(namesOf((await bundled.listTools()).tools)).toContain(tool);
      expect(await bundled.listTools()).toEqual(await own.listTools());
      expect(await bundled.callTool(tool, args)).toEqual(await own.callTool(tool, args));
    } finally {
      await Promise.all([own.close(), bundled.close()]);
    }
  });

  it.each(httpJudges.slice(0, 2))('serves $title', async ({ connect }) => {
    const served = await HttpApp.start(app, {}, relative(builtApp(app, '.'), bundle));
    const client = await connect(served.url);
    expect(namesOf((await client.listTools()).tools)).toContain(tool);
    await client.close();
    await served.stop();
  });
});
