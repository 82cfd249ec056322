/** What specs of one worker share, and what each of them has for itself: jest itself runs some, with the settings of this repository. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** What a spec of the fixture has seen. */
interface Seen {
  /** How often the library, its part that is loaded on demand, and the helper of the specs were loaded. */
  readonly loaded: { readonly library: number; readonly part: number; readonly helper: number };
  /** The variable that each spec sets, before it does. */
  readonly variable: string | undefined;
  readonly isSameArray: boolean;
}

/** What jest writes of the files that ran: how often each function and each statement did. */
type Covered = Readonly<
  Record<string, { readonly f: Readonly<Record<string, number>>; readonly s: readonly number[] }>
>;

const COUNTED = `const key = __filename;
globalThis[key] = (globalThis[key] ?? 0) + 1;
exports.loaded = () => globalThis[key];
exports.array = [];
exports.part = () => require('./part');
`;
const spec = (docblock = '') => `${docblock}
const { appendFileSync } = require('node:fs');
const library = require('./packages/library/src');
const helper = require('./helper');
jest.setTimeout(1);

it('sees', async () => {
  const loaded = { library: library.loaded(), part: library.part().loaded(), helper: helper.loaded() };
  const seen = { loaded, variable: process.env.OF_A_SPEC, isSameArray: library.array instanceof Array };
  process.env.OF_A_SPEC = 'set';
  appendFileSync(process.env.SEEN, JSON.stringify(seen) + '\\n');
}, 60_000);
`;
/** Longer than the limit that the other specs have set for themselves. */
const SLOW = `it('has the limit of the settings', () => new Promise((resolve) => setTimeout(resolve, 50)));`;
/** Leaves behind what watches fake timers. */
const FAKING = `beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());
it('fakes', () => void jest.spyOn(globalThis, 'setTimeout'));`;
/** In the order of their names, whatever took longer before. */
const IN_ORDER = `const Sequencer = require(${JSON.stringify(require.resolve('@jest/test-sequencer'))}).default;
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => one.path.localeCompare(other.path));
  }
};`;

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'sigil-shared-'));
  const library = join(project, 'packages', 'library', 'src');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, 'index.js'), COUNTED);
  writeFileSync(join(library, 'part.js'), COUNTED);
  writeFileSync(join(project, 'helper.js'), COUNTED);
  writeFileSync(
    join(project, 'jest.config.js'),
    `module.exports = { testEnvironment: ${JSON.stringify(join(__dirname, 'shared-environment.cjs'))}, runtime: ${JSON.stringify(join(__dirname, 'shared-runtime.cjs'))}, testSequencer: './in-order.js' };`,
  );
  writeFileSync(join(project, 'in-order.js'), IN_ORDER);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs specs in one worker, one after the other; returns what each has seen. */
function run(texts: readonly string[], ...args: readonly string[]): readonly Seen[] {
  const folder = mkdtempSync(join(project, 'specs-'));
  const seen = join(folder, 'seen');
  texts.forEach((text, index) => writeFileSync(join(project, `${index}.spec.js`), text));
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const env = { ...process.env, SEEN: seen, NODE_OPTIONS: '' };
  const { status, stderr } = spawnSync(process.execPath, [jest, '--runInBand', ...args], {
    cwd: project,
    timeout: 50_000,
    encoding: 'utf8',
    env,
  });
  texts.forEach((_, index) => rmSync(join(project, `${index}.spec.js`)));
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.anything() });
  return readFileSync(seen, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Seen);
}

it('a library is loaded once, also what it loads on demand in a later spec; the helpers of a spec are loaded for each', () => {
  const seen = run([spec(), spec(), spec()]);
  expect(seen.map(({ loaded }) => loaded)).toEqual([1, 2, 3].map((helper) => ({ library: 1, part: 1, helper })));
  expect(seen.map(({ isSameArray }) => isSameArray)).toEqual([true, true, true]);
});

it('each spec has the variables of the process and the time limit of the settings, whatever another has set', () => {
  const seen = run([spec(), spec(), SLOW, SLOW]);
  expect(seen.map(({ variable }) => variable)).toEqual([undefined, undefined]);
});

it('each spec has the timers of the system, whatever another has left in their place', () => {
  run([spec(), FAKING, SLOW]);
});

it('a spec with an environment of its own shares nothing', () => {
  const alone = spec('/** @jest-environment node */');
  const seen = run([alone, alone]);
  const once = { library: 1, part: 1, helper: 1 };
  expect(seen.map(({ loaded }) => loaded)).toEqual([once, once]);
});

it('the coverage of a shared library is the sum of what specs have called', () => {
  const args = [
    '--coverage',
    '--coverageReporters',
    'json',
    '--coveragePathIgnorePatterns',
    'spec',
    '--collectCoverageFrom',
    '**/*.js',
  ];
  run([spec(), spec()], ...args);
  const files = JSON.parse(readFileSync(join(project, 'coverage', 'coverage-final.json'), 'utf8')) as Covered;
  const [, library] = Object.entries(files).find(([path]) => path.endsWith(join('src', 'index.js'))) ?? [];
  // Its functions: what counts the loads of it, and what loads its part. The file itself runs once.
  expect(library?.f).toEqual({ 0: 2, 1: 2 });
  expect(library?.s[0]).toBe(1);
});
