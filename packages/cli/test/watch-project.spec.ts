/** What the compiler of `sigil dev` remembers from one start to the next: it holds for what it wrote itself, and errors are told again. */
import fs, { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { SourceEvents } from '../src/dev/tap';
import { watchProject } from '../src/dev/watch-project';
import { Shell } from '../src/terminal/shell';
import { CapturedText } from '../../../test/support/captured-text';
import { linkCompiler, TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
let folder: string;
beforeAll(() => {
  const few = { lib: ['es2022'], types: [], skipLibCheck: true };
  const compilerOptions = { target: 'es2022', module: 'node16', ...few, rootDir: 'src', outDir: 'dist' };
  folder = folders.make({
    'package.json': '{ "name": "small" }',
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  });
  linkCompiler(folder);
});
afterAll(() => folders.removeAll());

const compiled = (): string => join(folder, 'dist', 'server.js');
const source = (text: string): void => write(folder, { 'src/server.ts': `export const version: string = ${text};\n` });

/** One start. @returns the compiled text, or why there is none */
async function start(): Promise<string> {
  const told: string[] = [];
  const watch = watchProject(new Shell({ stderr: new CapturedText() }), join(folder, 'src', 'server.ts'), {
    changed: () => undefined,
    built: (program) => told.push(/'(.*)'/.exec(readFileSync(program, 'utf8'))?.[1] ?? ''),
    failed: ({ headline }) => told.push(headline),
    missing: (problem) => told.push(problem),
  });
  await watch.close();
  return told.join('\n');
}

it('a start writes what the last one did not, and nothing else', async () => {
  source("'one'");
  expect([await start(), await start()]).toEqual(['one', 'one']);
  source("'two'");
  expect(await start()).toBe('two');
});

it.each([
  ['is gone', () => rmSync(join(folder, 'dist'), { recursive: true })],
  [
    'is of somebody else',
    () => {
      writeFileSync(compiled(), "exports.version = 'of somebody else';\n");
      // Written later: file systems count in milliseconds.
      utimesSync(compiled(), new Date(), new Date(Date.now() + 1000));
    },
  ],
])('a start writes again what %s', async (_, change) => {
  change();
  expect(await start()).toBe('two');
});

it('each start tells the errors that are there, until they are gone', async () => {
  source('3');
  const error = "src/server.ts:1:14 Type 'number' is not assignable to type 'string'. TS2322";
  expect([await start(), await start()]).toEqual([error, error]);
  source("'four'");
  expect(await start()).toBe('four');
});

/** Hears as the server of the command does: its methods are those of its class. */
class Missed implements SourceEvents {
  readonly problems: string[] = [];

  changed(): void {}

  failed(): void {}

  built(): void {}

  missing(problem: string): void {
    this.problems.push(problem);
  }
}

it('says that a folder outside of the project, which a source names, cannot be watched', async () => {
  const outside = folders.make({ 'notes/one.md': 'one' });
  const named = relative(join(folder, 'src'), join(outside, 'notes')).split(sep).join('/');
  source(`((skills: (options: { folders: string[] }) => string) => skills({ folders: ['${named}'] }))(String)`);
  const { watch } = fs;
  jest.spyOn(fs, 'watch').mockImplementation(((path: string, ...rest: never[]) => {
    if (path.startsWith(outside)) throw Object.assign(new Error('the disk is on fire'), { code: 'EIO' });
    return (watch as (...words: unknown[]) => unknown)(path, ...rest);
  }) as never);
  const missed = new Missed();
  const watched = watchProject(new Shell({ stderr: new CapturedText() }), join(folder, 'src', 'server.ts'), missed);
  await watched.close();
  jest.restoreAllMocks();
  expect(missed.problems).toEqual([expect.stringContaining('the disk is on fire')]);
});
