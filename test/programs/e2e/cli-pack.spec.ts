/** `sigil pack`: bundles that the official tool accepts, and that are refused if they would not run elsewhere. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { sigil, type Ran } from './terminal';

jest.setTimeout(150_000);

const root = join(__dirname, '..', '..', '..');
const official = join(root, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
const mcpb = (...args: string[]): string => execFileSync(process.execPath, [official, ...args], { encoding: 'utf8' });

const MANIFEST = {
  ...{
    name: '@you/notes',
    version: '1.2.3',
    description: 'Takes notes',
    author: 'Ada <ada@example.com>',
    license: 'MIT',
  },
  ...{ repository: 'github:you/notes', engines: { node: '>=20.19' } },
};

const server = (lines = ''): string => `
require('@sigil-mcp/core/stdio/guard');
const { createServer, tool } = require('@sigil-mcp/core');
const { StdioTransport } = require('@sigil-mcp/core/stdio');
const { version } = require('./package.json');
${lines}
const take = tool('take', { description: 'Takes a note' }, () => 'ok');
void createServer({ name: 'notes', version, features: [take] }).listen(new StdioTransport());
`;

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A project inside of the repository, whose packages it finds. */
function project(files: Readonly<Record<string, string>>): string {
  mkdirSync(join(root, '.sigil'), { recursive: true });
  const folder = mkdtempSync(join(root, '.sigil', 'pack-'));
  made.push(folder);
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(MANIFEST), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const pack = (folder: string, ...words: string[]): Promise<Ran> =>
  sigil(['pack', 'main.js', ...words], { cwd: folder });

/** The bundle, unpacked by the official tool far from the repository. */
function unpacked(bundle: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-mcpb-')));
  made.push(folder);
  mcpb('unpack', bundle, folder);
  return folder;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

describe('sigil pack', () => {
  it('makes a bundle that the official tool accepts, with the same bytes each time, and without secrets and tests', async () => {
    const folder = project({
      'main.js': server("if (process.env['API_KEY'] === undefined) throw new Error('no key');"),
      '.env.example': '# Of the notes API\nAPI_KEY=\nREGION=eu\n#LOG=json\n',
      '.env': 'API_KEY=real',
      'main.spec.js': 'tests',
      LICENSE: 'MIT',
    });
    const { status, stdout, stderr } = await pack(folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('notes-1.2.3.mcpb');
    expect(stdout).toContain('applications ask for: API_KEY (secret), REGION');
    const bundle = join(folder, 'notes-1.2.3.mcpb');
    const inside = unpacked(bundle);
    expect(mcpb('validate', join(inside, 'manifest.json'))).toContain('passes');
    expect(filesIn(inside)).toEqual(['LICENSE', 'manifest.json', join('server', 'main.cjs')]);
    expect(JSON.parse(readFileSync(join(inside, 'manifest.json'), 'utf8'))).toMatchObject({
      ...{ name: 'notes', version: '1.2.3', author: { name: 'Ada', email: 'ada@example.com' } },
      server: { mcp_config: { env: { API_KEY: '${user_config.api_key}', REGION: '${user_config.region}' } } },
      tools: [{ name: 'take', description: 'Takes a note' }],
      user_config: {
        api_key: { type: 'string', sensitive: true, required: true, description: 'Of the notes API' },
        region: { type: 'string', default: 'eu' },
      },
    });
    const main = join(inside, 'server', 'main.cjs');
    const seen = await sigil(['inspect', '--json', '--', process.execPath, main], { env: { API_KEY: 'x' } });
    const { revisions } = JSON.parse(seen.stdout) as { revisions: { offered: string[]; handshake: string[] } };
    const spoken = new Set([...revisions.offered, ...revisions.handshake]);
    expect([...spoken].sort()).toEqual(ALL_REVISIONS.map(({ version }) => version).sort());
    const before = readFileSync(bundle);
    await pack(folder);
    expect(readFileSync(bundle).equals(before)).toBe(true);
  });

  it('takes no hidden files and nothing behind a link along, and says so', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-home-')));
    made.push(home);
    writeFileSync(join(home, 'id_rsa'), 'PRIVATE KEY');
    const folder = project({
      'main.js': server("require('./calls').skills({ folders: ['./skills'] });"),
      'calls.js': 'exports.skills = () => undefined;',
      'skills/a/SKILL.md': 'a skill',
      'skills/a/.git/config': 'url = https://token@example.com',
      'skills/a/.npmrc': 'token',
      'skills/a/deep/.env.local': 'token',
    });
    symlinkSync(home, join(folder, 'skills', 'a', '.cache'));
    symlinkSync(home, join(folder, 'skills', 'a', 'keys'));
    const { status, stdout, stderr } = await pack(folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const left = ['skills/a/.cache', 'skills/a/.git', 'skills/a/.npmrc', 'skills/a/deep/.env.local', 'skills/a/keys'];
    const line = `left out (hidden files, and links out of the folder): ${left.join(', ')}\n`;
    expect(stdout).toContain(line);
    const inside = unpacked(join(folder, 'notes-1.2.3.mcpb'));
    expect(filesIn(inside)).toEqual(
      ['manifest.json', join('server', 'files', 'skills', 'a', 'SKILL.md'), join('server', 'main.cjs')].sort(),
    );
    const built = await sigil(['build', 'main.js'], { cwd: folder });
    expect(built.stdout).toContain(line);
    expect(filesIn(join(folder, 'bundle', 'files'))).toEqual([join('skills', 'a', 'SKILL.md')]);
    rmSync(join(folder, 'skills'), { recursive: true });
    symlinkSync(home, join(folder, 'skills'));
    for (const command of ['pack', 'build'])
      expect((await sigil([command, 'main.js'], { cwd: folder })).stderr).toContain('is a link that leads out of');
  });

  it('writes the bundle through no link of the project', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-home-')));
    made.push(home);
    writeFileSync(join(home, '.bashrc'), 'mine');
    const folder = project({ 'main.js': server() });
    symlinkSync(join(home, '.bashrc'), join(folder, 'notes-1.2.3.mcpb'));
    expect(await pack(folder)).toMatchObject({ status: 0 });
    mkdirSync(join(folder, 'bundle'));
    for (const name of ['main.cjs', 'main.cjs.map', 'main.code.cjs', 'main.code.cjs.cache'])
      symlinkSync(join(home, '.bashrc'), join(folder, 'bundle', name));
    expect(await sigil(['build', 'main.js', '--code-cache'], { cwd: folder })).toMatchObject({ status: 0 });
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('mine');
    rmSync(join(folder, 'bundle'), { recursive: true });
    symlinkSync(home, join(folder, 'bundle'));
    expect((await sigil(['build', 'main.js'], { cwd: folder })).stderr).toContain('is a link that leads out of');
    expect(readdirSync(home)).toEqual(['.bashrc']);
  });

  it('takes packages with native addons along, with what they need at run time, for this system only', async () => {
    const folder = project({
      'main.js': server("require('addon');"),
      'node_modules/addon/package.json':
        '{ "name": "addon", "main": "i.js", "gypfile": true, "dependencies": { "dep": "1" } }',
      'node_modules/addon/i.js': "require('dep');",
      'node_modules/addon/build/Release/addon.node': 'binary',
      'node_modules/addon/src/addon.cc': 'source',
      'node_modules/addon/test/a.js': 'test',
      'node_modules/addon/.env': 'x',
      'node_modules/dep/package.json': '{ "name": "dep", "dependencies": { "addon": "1" } }',
      'node_modules/dep/index.js': '',
    });
    const { status, stdout, stderr } = await pack(folder, '--out', 'out/n.mcpb');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`runs on ${process.platform} only, because of addon`);
    const inside = unpacked(join(folder, 'out', 'n.mcpb'));
    const place = (...parts: string[]): string => join('server', 'node_modules', 'addon', ...parts);
    expect(filesIn(inside)).toEqual(
      [
        ...['manifest.json', join('server', 'main.cjs'), place('build', 'Release', 'addon.node'), place('i.js')],
        ...[
          place('package.json'),
          place('node_modules', 'dep', 'index.js'),
          place('node_modules', 'dep', 'package.json'),
        ],
      ].sort(),
    );
    expect(JSON.parse(readFileSync(join(inside, 'manifest.json'), 'utf8'))).toMatchObject({
      compatibility: { platforms: [process.platform] },
    });
  });

  it.each([
    [
      'no author',
      { 'package.json': JSON.stringify({ ...MANIFEST, author: undefined, version: 'x' }) },
      'has no valid "version", "author"',
    ],
    [
      'another version',
      { 'main.js': server().replace("name: 'notes', version", "name: 'notes', version: '0.0.1'") },
      'says that its version is 0.0.1, but package.json says 1.2.3',
    ],
    [
      'a file that is not in the bundle',
      {
        'main.js': server("require('fs').readFileSync(require('path').join(__dirname, 'data.json'));"),
        'data.json': '{}',
      },
      'data.json',
    ],
  ])('writes nothing for %s', async (_, files, message) => {
    const folder = project({ 'main.js': server(), ...files });
    const { status, stderr } = await pack(folder);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
    expect(readdirSync(folder).filter((name) => name.includes('mcpb'))).toEqual([]);
    expect(existsSync(join(folder, 'bundle'))).toBe(false);
  });
});
