/** The ratchet of `npm run weight`: no figure becomes worse without a reason. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callScript } from './call-script';

type Figures = Readonly<Record<string, number>>;

const recorded = { figures: { files: 10, median: 50 }, reasons: { files: 'a new adapter' } };

const changes = (measured: Figures): unknown =>
  (callScript('weight/compare-weight.mjs', 'compareWeight', measured, recorded) as { name: string; change: string }[])
    .filter(({ change }) => change !== 'none')
    .map(({ name, change }) => `${name} ${change}`);

const next = (measured: Figures, reason?: string): unknown =>
  callScript('weight/compare-weight.mjs', 'nextRecord', measured, recorded, ...(reason ? [reason] : []));

it.each<[string, Figures, readonly string[]]>([
  ['more files', { files: 11, median: 50 }, ['files worse']],
  ['fewer files', { files: 9, median: 50 }, ['files better']],
  ['a smaller median', { files: 10, median: 49 }, ['median worse']],
  ['a larger median', { files: 10, median: 51 }, ['median better']],
  ['the same', { files: 10, median: 50 }, []],
])('judges %s', (_what, measured, expected) => {
  expect(changes(measured)).toEqual(expected);
});

it('records what is better, and what is worse with its reason', () => {
  expect(next({ files: 11, median: 60 }, 'a second adapter')).toEqual({
    figures: { files: 11, median: 60 },
    reasons: { files: 'a second adapter' },
  });
  expect(next({ files: 9, median: 60 })).toEqual({ figures: { files: 9, median: 60 }, reasons: {} });
  expect(next({ files: 10, median: 60 })).toEqual({
    figures: { files: 10, median: 60 },
    reasons: { files: 'a new adapter' },
  });
});

it('records nothing worse without a reason', () => {
  expect(next({ files: 11, median: 50 })).toBeNull();
});

it('counts the files, types and members of a checkout', () => {
  const root = mkdtempSync(join(tmpdir(), 'sigil-weight-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  try {
    write(
      'package-lock.json',
      JSON.stringify({ packages: { '': {}, 'node_modules/a': {}, 'node_modules/b': { link: true } } }),
    );
    write('packages/cli/src/port.ts', '/** A port. */\nexport interface Port {\n  open(): void;\n}\n');
    write(
      'packages/cli/src/only.ts',
      "import type { Port } from './port';\n\n// One.\nexport class Only implements Port {\n  open(): void {}\n}\n",
    );
    write(
      'packages/core/src/only.ts',
      'export interface Extension {\n  /** Its name. */\n  readonly name: string;\n  start?(): void;\n}\nclass Only {}\n',
    );
    write('test/one.spec.ts', "it('runs', () => undefined);\n");
    execFileSync('git', ['init', '-q'], { cwd: root });
    expect(callScript('weight/measure-weight.mjs', 'measureWeight', root)).toEqual({
      files: 3,
      code: 12,
      median: 6,
      tiny: 3,
      foldable: 1,
      oneImplementation: 1,
      sameTypeName: 1,
      extensionMembers: 2,
      cliCode: 7,
      testCode: 1,
      tracked: 5,
      installed: 1,
    });
  } finally {
    rmSync(root, { recursive: true });
  }
});
