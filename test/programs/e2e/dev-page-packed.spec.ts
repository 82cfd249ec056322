/** What is made of a new project holds nothing of the page of `sigil dev`: neither the package that npm packs, nor the bundle. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLI } from './dev-project';
import { sigil } from './terminal';

jest.setTimeout(240_000);

/** Names of the page, its key, its libraries and its files. */
const PAGE = /__sigil|x-sigil-key|preact|dev-page|inspector[/\\](?:dist|page)|home-screen|sigil-page/;

let folder: string;
beforeAll(async () => {
  const parent = join(__dirname, '..', '..', '..', '.sigil');
  mkdirSync(parent, { recursive: true });
  folder = join(mkdtempSync(join(parent, 'packed-')), 'notes');
  const options = ['--transport', 'both', '--yes', '--no-install', '--no-git'];
  expect(await sigil(['new', folder, ...options])).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 20 }));

it('is not in the package that npm packs', () => {
  const npm = (...words: string[]): string =>
    execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  npm('run', 'build');
  const [packed] = JSON.parse(npm('pack', '--json', '--ignore-scripts')) as [
    { filename: string; files: { path: string }[] },
  ];
  const names = packed.files.map(({ path }) => path);
  expect(names).toContain('dist/main.js');
  expect(names.filter((name) => PAGE.test(name))).toEqual([]);
  const contents = execFileSync('tar', ['-xzOf', packed.filename], { cwd: folder, encoding: 'utf8' });
  expect(contents).toContain('@sigil-mcp/core');
  expect(contents).not.toMatch(PAGE);
});

it('is not in the bundle, and a server that is packed needs no command of sigil', () => {
  execFileSync(process.execPath, [CLI, 'build'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  expect(readFileSync(join(folder, 'bundle', 'main.cjs'), 'utf8')).not.toMatch(PAGE);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies)).not.toContain('@sigil-mcp/cli');
});
