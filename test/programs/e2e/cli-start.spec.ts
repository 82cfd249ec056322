/** The packages that the command line loads: those that only one command needs are loaded by that command alone. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'sigil-cli-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const main = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'main.js');

/** Runs the command. @returns the files that it loaded */
function filesOf(...words: readonly string[]): readonly string[] {
  const work = join(folder, 'work.json');
  execFileSync(process.execPath, ['--require', join(__dirname, 'fixtures', 'count-work.cjs'), main, ...words], {
    env: { ...process.env, SIGIL_TEST_WORK: work },
  });
  return (JSON.parse(readFileSync(work, 'utf8')) as { readonly files: readonly string[] }).files;
}

/** The names of the installed packages that the command loads. */
function loadedBy(...words: readonly string[]): Set<string> {
  const names = filesOf(...words).map(
    (file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? '',
  );
  return new Set(names.filter((name) => name !== ''));
}

it('loads no package that only one command needs', () => {
  const loaded = loadedBy('--help');
  expect(loaded).toContain('commander');
  const ofOneCommand = [
    'minisearch',
    'esbuild',
    'typescript',
    '@clack/prompts',
    'open',
    '@modelcontextprotocol/client',
  ];
  expect(ofOneCommand.filter((name) => loaded.has(name))).toEqual([]);
});

it('loads the file of the command that is typed, and of no other, and no server', () => {
  const files = filesOf('call', '--help');
  expect(files.filter((file) => /[\\/]packages[\\/]core[\\/]/.test(file))).toEqual([]);
  const commands = files.flatMap((file) => /[\\/]commands[\\/]([\w-]+)\.js$/.exec(file)?.[1] ?? []);
  expect(commands).toContain('call');
  for (const other of ['add', 'build', 'dev', 'doctor', 'docs', 'inspect', 'install', 'new'])
    expect(commands).not.toContain(other);
  const loaded = loadedBy('call', '--help');
  expect(['yaml', 'semver'].filter((name) => loaded.has(name))).toEqual([]);
});

it('searches the documentation with minisearch, which showing a page does not load', () => {
  expect(loadedBy('docs', 'deploy')).toContain('minisearch');
  expect(loadedBy('docs', 'quick-start')).not.toContain('minisearch');
});

it.each(['--version', '-V'])('answers %s from three files, in a moment', (word) => {
  const files = filesOf(word).filter((file) => !file.endsWith('count-work.cjs'));
  expect(files.map((file) => basename(file)).sort()).toEqual(['main.js', 'node-problem.js', 'version.js']);
});
