/** However an editor, an assistant or git saves sources, `sigil dev` serves what is on the disk when they are at rest. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, watch as watchFile, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ManualClock } from '@sigil-mcp/testing';
import type { Clock } from '@sigil-mcp/core';
import fc from 'fast-check';
import type { Cause } from '../src/causes/describe-cause';
import { watchProject } from '../src/dev/watch-project';
import type { SourceWatch } from '../src/dev/tap';
import { Shell } from '../src/terminal/shell';
import { CapturedText } from '../../../test/support/captured-text';
import { runs } from '../../../test/support/matrix';
import { until } from '../../../test/support/until';
import { linkCompiler, TemporaryFolders } from '../../../test/support/temporary-folder';

const NAMES = ['server', 'shop/orders', 'shop/deep/prices'];
const textOf = (name: string, value: string): string =>
  `${
    name === 'server'
      ? NAMES.slice(1)
          .map((each) => `export * from './${each}';\n`)
          .join('')
      : ''
  }export const ${name.replaceAll('/', '_')}: string = '${value}';\n`;

const folders = new TemporaryFolders();
let folder: string;
let watch: SourceWatch | undefined;
/** What was told, the newest last: what the program says that was built, or the errors. */
const told: string[] = [];
let problems: (readonly string[])[] = [];

beforeEach(() => {
  const few = { lib: ['es2022'], types: [], skipLibCheck: true, strict: true };
  const compilerOptions = { target: 'es2022', module: 'node16', ...few, rootDir: 'src', outDir: 'dist' };
  folder = folders.make({
    'package.json': '{ "name": "small" }',
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    ...Object.fromEntries(NAMES.map((name) => [`src/${name}.ts`, textOf(name, '0')])),
  });
  linkCompiler(folder);
  start();
});
afterEach(async () => {
  await watch?.close();
  folders.removeAll();
});

function start(clock?: Clock): void {
  [told.length, problems] = [0, []];
  const events = {
    changed: () => undefined,
    built: () => told.push(NAMES.map((name) => valueIn(join(folder, 'dist', `${name}.js`))).join(' ')),
    failed(cause: Cause) {
      told.push(cause.headline);
      problems.push(cause.problems.map(({ message, place }) => `${String(place?.line)} ${message}`));
    },
    missing: (problem: string) => told.push(problem),
  };
  watch = watchProject(new Shell({ stderr: new CapturedText() }), path('server'), events, clock);
}

const path = (name: string): string => join(folder, 'src', `${name}.ts`);
const valueIn = (file: string): string => / = '(.*)'/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
const onDisk = (): string => NAMES.map((name) => valueIn(path(name))).join(' ');
const isServed = (): boolean => told.at(-1) === onDisk();

/** The ways in which programs save. */
const WAYS = {
  'in place': (name: string, text: string) => writeFileSync(path(name), text),
  'by rename'(name: string, text: string) {
    writeFileSync(`${path(name)}.new`, text);
    renameSync(`${path(name)}.new`, path(name));
  },
  'deleted and written'(name: string, text: string) {
    unlinkSync(path(name));
    writeFileSync(path(name), text);
  },
  'beside a copy of the last one'(name: string, text: string) {
    renameSync(path(name), `${path(name)}~`);
    writeFileSync(path(name), text);
    unlinkSync(`${path(name)}~`);
  },
} as const;

type Way = keyof typeof WAYS;

/** One save, or what changes several files at once. */
type Step =
  | { readonly kind: 'save'; readonly way: Way; readonly name: string; readonly pause: number }
  | { readonly kind: 'a branch switched' | 'a folder moved'; readonly pause: number };

const pause = fc.constantFrom(0, 1, 5, 30, 60, 150);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      way: fc.constantFrom(...(Object.keys(WAYS) as Way[])),
      name: fc.constantFrom(...NAMES),
      pause,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('a branch switched' as const, 'a folder moved' as const), pause }),
  },
);

let saves = 0;
const nextText = (name: string): string => textOf(name, String((saves += 1)));

function take(step: Step): void {
  if (step.kind === 'save') WAYS[step.way](step.name, nextText(step.name));
  else if (step.kind === 'a branch switched') for (const name of NAMES) WAYS['by rename'](name, nextText(name));
  else {
    renameSync(join(folder, 'src', 'shop'), join(folder, 'src', 'old'));
    mkdirSync(join(folder, 'src', 'shop', 'deep'), { recursive: true });
    for (const name of NAMES.slice(1)) writeFileSync(path(name), nextText(name));
    rmSync(join(folder, 'src', 'old'), { recursive: true });
  }
}

it('serves the text on the disk after every burst of saves', async () => {
  await until(isServed);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const each of steps) {
        take(each);
        // eslint-disable-next-line house/fixed-sleep -- how long a program pauses between two saves is what is tried
        await delay(each.pause);
      }
      await until(isServed);
    }),
    { numRuns: runs(200), endOnFailure: true },
  );
});

it('compiles what is on the disk when it is asked to, also if nothing has changed', async () => {
  await until(isServed);
  const before = told.length;
  writeFileSync(path('server'), nextText('server'));
  watch?.again();
  expect(told.slice(before)).toEqual([onDisk()]);
  watch?.again();
  expect(told.slice(before)).toEqual([onDisk(), onDisk()]);
});

it('tells errors of syntax alone and each once, then those of types', async () => {
  await until(isServed);
  WAYS['by rename'](
    'server',
    `${textOf('server', '1')}export clas X { a: number = ''; }\nexport const n: number = '';\n`,
  );
  await until(() => problems.length > 0);
  const all = problems.at(-1) ?? [];
  expect(all.length).toBeGreaterThan(0);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((each) => /not assignable|Cannot find name/.test(each))).toEqual([]);
  WAYS['in place']('server', `${textOf('server', '1')}export const n: number = '';\n`);
  await until(() => problems.at(-1)?.[0]?.includes('not assignable') === true);
  expect(problems.at(-1)).toEqual([expect.stringContaining("4 Type 'string' is not assignable to type 'number'.")]);
  WAYS['in place']('server', textOf('server', '2'));
  await until(isServed);
});

it('finds a file that is new, and what takes its place', async () => {
  await until(isServed);
  writeFileSync(path('server'), `import './late';\n${textOf('server', '1')}`);
  await until(() => told.at(-1)?.includes("'./late'") === true);
  writeFileSync(path('late'), 'export {};\n');
  await until(isServed);
  rmSync(path('late'));
  await until(() => told.at(-1)?.includes("'./late'") === true);
});

it('says nothing about files that are no part of the program, and builds again for those that a server reads', async () => {
  await watch?.close();
  const clock = new ManualClock();
  start(clock);
  const rest = (): Promise<void> => clock.advance(1000);
  await rest();
  const own = watchFile(folder);
  const heard = once(own, 'change');
  for (const file of ['other.spec.ts', 'notes.md']) writeFileSync(join(folder, file), '');
  await heard;
  own.close();
  await rest();
  expect(told).toEqual([onDisk()]);
  writeFileSync(join(folder, 'src', 'page.html'), '<p>');
  await until(async () => (await rest(), told.length > 1));
  expect(told).toEqual([onDisk(), onDisk()]);
});

it('says that its entry is gone, and serves it again', async () => {
  await until(isServed);
  renameSync(path('server'), path('moved'));
  await until(() => told.at(-1)?.includes('server.ts') === true);
  expect(problems.at(-1)?.[0]).toContain('server.ts');
  renameSync(path('moved'), path('server'));
  await until(isServed);
});

it('follows the settings of the compiler', async () => {
  await until(isServed);
  const settings = join(folder, 'tsconfig.json');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace('"strict":true', '"strict":true,"noUnusedLocals":true'));
  writeFileSync(path('server'), `const unused = 1;\n${textOf('server', '1')}`);
  await until(() => told.at(-1)?.includes('unused') === true);
  writeFileSync(settings, text);
  await until(isServed);
});
