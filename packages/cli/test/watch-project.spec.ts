/** What the compiler of `sigil dev` remembers from one start to the next: it holds for what it wrote itself, and errors are told again. */
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
