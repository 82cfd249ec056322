/** What `sigil dev` hears of the files around a program that needs no compiler. Time stands still until a test moves it. */
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ManualClock } from '@sigil-mcp/testing';
import type { Cause } from '../src/causes/describe-cause';
import type { SourceEvents, SourceWatch } from '../src/dev/tap';
import { watchFiles } from '../src/dev/watch-files';
import { TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
const watches: SourceWatch[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(watches.splice(0).map((watch) => watch.close()));
  folders.removeAll();
});

class Heard implements SourceEvents {
  readonly all: string[] = [];
  #wanted: { readonly count: number; readonly go: () => void } | undefined;

  changed(): void {
    this.#hear('changed');
  }

  failed({ headline }: Cause): void {
    this.#hear(headline);
  }

  built(): void {
    this.#hear('built');
  }

  missing(problem: string): void {
    this.#hear(problem);
  }

  /** Resolves when so much was heard. */
  async first(count: number): Promise<readonly string[]> {
    if (this.all.length < count) await new Promise<void>((go) => (this.#wanted = { count, go }));
    return this.all;
  }

  #hear(what: string): void {
    this.all.push(what);
    if (this.#wanted && this.all.length >= this.#wanted.count) this.#wanted.go();
  }
}

const clock = new ManualClock();
/** The files have come to rest: longer than they have to. */
const rest = (): Promise<void> => clock.advance(1000);

function watching(program: string): Heard {
  const heard = new Heard();
  watches.push(watchFiles(program, heard, clock));
  return heard;
}

/** Writes a file until that is heard: a folder that is new may not be watched yet. */
async function writeHeard(heard: Heard, path: string): Promise<void> {
  const before = heard.all.length;
  for (let turn = 0; heard.all.length === before; turn++) {
    fs.writeFileSync(path, `${turn}`);
    for (let waited = 0; waited < 20 && heard.all.length === before; waited++) await delay(10);
  }
}

it('tells of the program, and of each change when the files have come to rest', async () => {
  const folder = folders.make({ 'main.js': '1', 'lib/notes.js': '1' });
  const heard = watching(join(folder, 'main.js'));
  expect(await heard.first(2)).toEqual(['changed', 'built']);
  for (const text of ['2', '3', '4']) write(folder, { 'lib/notes.js': text });
  expect(await heard.first(3)).toEqual(['changed', 'built', 'changed']);
  await rest();
  expect(heard.all.slice(0, 4)).toEqual(['changed', 'built', 'changed', 'built']);
  const before = heard.all.length;
  write(folder, { 'lib/deeper/new.js': '1' });
  await heard.first(before + 1);
  await rest();
  await writeHeard(heard, join(folder, 'lib', 'deeper', 'new.js'));
  await rest();
  fs.rmSync(join(folder, 'lib'), { recursive: true });
  await heard.first(heard.all.length + 1);
  await rest();
  // What the system tells late begins another change: each is told with its end.
  expect(heard.all.join(' ')).toMatch(/^(?:changed built ?)+(?:changed)?$/);
  expect(heard.all.length).toBeGreaterThanOrEqual(8);
});

it.each(['skills/a/SKILL.md', 'pages/a.html'])('hears of %s, which a module names in another folder', async (path) => {
  const module = "skills({ folders: ['../../skills'] }); view('ui://a', { file: '../../pages/a.html' });";
  const files = { 'src/main.js': '', 'src/lib/named.js': module, 'skills/a/SKILL.md': '1', 'pages/a.html': '1' };
  const folder = folders.make(files);
  const heard = watching(join(folder, 'src', 'main.js'));
  await heard.first(2);
  await writeHeard(heard, join(folder, path));
  await rest();
  expect(heard.all.join(' ')).toMatch(/^(?:changed built ?){2,}(?:changed)?$/);
});

it('hears nothing of what is installed, built or kept by git', async () => {
  const folder = folders.make({ 'main.js': '1', 'node_modules/a/index.js': '1', 'dist/x.js': '1', '.git/HEAD': '1' });
  const heard = watching(join(folder, 'main.js'));
  await heard.first(2);
  const paths = ['node_modules/a/index.js', 'dist/x.js', '.git/HEAD'];
  const own = paths.map((path) => fs.watch(join(folder, path)));
  const told = own.map((watch) => once(watch, 'change'));
  for (const path of paths) write(folder, { [path]: '2' });
  await Promise.all(told);
  own.forEach((watch) => watch.close());
  await rest();
  expect(heard.all).toEqual(['changed', 'built']);
  // It does hear what comes afterwards.
  write(folder, { 'main.js': '2' });
  expect(await heard.first(3)).toEqual(['changed', 'built', 'changed']);
});

it('watches a program that is built where it is built', async () => {
  const folder = folders.make({ 'dist/main.js': '1', 'dist/node_modules/a.js': '1' });
  const heard = watching(join(folder, 'dist', 'main.js'));
  await heard.first(2);
  write(folder, { 'dist/main.js': '2' });
  await heard.first(3);
  await rest();
  expect(heard.all.slice(0, 4)).toEqual(['changed', 'built', 'changed', 'built']);
});

it('spends no watch on what is installed', async () => {
  const installed = Array.from({ length: 300 }, (_, index) => [
    [`node_modules/package-${index}/index.js`, ''],
    [`node_modules/package-${index}/lib/deep/part.js`, ''],
  ]).flat() as [string, string][];
  const folder = folders.make({ 'main.js': '1', 'lib/notes.js': '1', ...Object.fromEntries(installed) });
  const spent = jest.spyOn(fs, 'watch');
  await watching(join(folder, 'main.js')).first(2);
  const paths = spent.mock.calls.map(([path]) => String(path));
  expect(paths.filter((path) => path.includes('node_modules'))).toEqual([]);
  // The folder, its folder, and the two files.
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.length).toBeLessThanOrEqual(4);
});

it.each([
  ['ENOSPC', /can be watched \(ENOSPC\); raise fs\.inotify\.max_user_watches, or move /],
  ['EMFILE', /can be watched \(EMFILE\); raise the limit of open files/],
  ['EIO', /can be watched \(the disk is on fire\); fix that and start the command again/],
])('says once that changes will be missed, and goes on: %s', async (code, sentence) => {
  const folder = folders.make({ 'main.js': '1', 'lib/notes.js': '1', 'lib/tasks.js': '1' });
  jest.spyOn(fs, 'watch').mockImplementation(() => {
    throw Object.assign(new Error('the disk is on fire'), { code });
  });
  const heard = watching(join(folder, 'main.js'));
  await heard.first(3);
  await rest();
  expect(heard.all).toHaveLength(3);
  expect(heard.all).toEqual(expect.arrayContaining(['changed', 'built', expect.stringMatching(sentence)]));
});
