/** The tests of a change, run by the page: only when they are switched on, one at a time, and never longer than the page. */
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@sigil-mcp/core/adapter';
import { PageChecks, type TestState } from '../src/page-checks';
import { until } from '../../../test/support/until';
import { tsconfig } from '../../../test/support/sound-project';
import { linkCompiler, TemporaryFolders } from '../../../test/support/temporary-folder';

/** Stands for a runner: it notes its arguments, and does not end while the file "wait" is there. */
const RUNNER = `const { appendFileSync, existsSync } = require('node:fs');
const { spawn } = require('node:child_process');
const words = process.argv.slice(2);
console.log('\\u001b[32mruns\\u001b[0m ' + words.join(' '));
if (!existsSync('wait')) process.exit(words.some((word) => word.includes('broken')) ? 1 : 0);
const worker = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
appendFileSync('pids', process.pid + '\\n' + worker.pid + '\\n');
console.log('waits');
`;

const folders = new TemporaryFolders();
let folder: string;
let checks: PageChecks;
let seen: TestState[];

function make(files: Readonly<Record<string, string>> = {}): void {
  folder = folders.make({
    'package.json': JSON.stringify({ name: 'x', devDependencies: { jest: '1' } }),
    'node_modules/jest/package.json': JSON.stringify({ name: 'jest', version: '1.0.0', bin: './bin/jest.js' }),
    'node_modules/jest/bin/jest.js': RUNNER,
    'src/notes.ts': '',
    'src/broken.ts': '',
    ...tsconfig(),
    ...files,
  });
  linkCompiler(folder);
  seen = [];
  checks = new PageChecks(folder, (name, data) => void (name === 'tests' && seen.push(data as TestState)), systemClock);
}
beforeEach(() => make());
afterEach(() => {
  checks.close();
  folders.removeAll();
});

/** Changes a source, and lets a version become ready. */
function save(name: string): void {
  const later = new Date(Date.now() + 5000);
  utimesSync(join(folder, 'src', name), later, later);
  checks.versionReady();
}

async function phase(wanted: TestState['phase']): Promise<TestState> {
  await until(() => checks.tests.phase === wanted);
  return checks.tests;
}

function isRunning(pid: number): boolean {
  try {
    // A process that has ended and whose parent has not noticed is still there.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

it('runs nothing until somebody has switched it on', () => {
  save('notes.ts');
  expect([seen, checks.tests.phase, checks.tests.runner]).toEqual([[], 'idle', 'jest']);
});

it('runs the tests of the file that changed, and says how they ended', async () => {
  checks.order('on');
  checks.versionReady();
  expect(checks.tests.phase).toBe('idle');
  save('notes.ts');
  const passed = await phase('passed');
  expect(passed.output).toBe(`runs --findRelatedTests ${join(folder, 'src', 'notes.ts')} --passWithNoTests\n`);
  expect(passed).toMatchObject({ files: ['src/notes.ts'], isOn: true, took: expect.any(Number) });
  save('broken.ts');
  expect(await phase('failed')).toMatchObject({ files: ['src/broken.ts'] });
  checks.order('off');
  save('notes.ts');
  expect(checks.tests.phase).toBe('failed');
});

it('runs all tests once, when somebody asks for it', async () => {
  checks.order('run');
  expect(await phase('passed')).toMatchObject({ output: 'runs --passWithNoTests\n', files: [], isOn: false });
});

it('ends a run with all its workers when another one begins, and when the page ends', async () => {
  make({ wait: '' });
  const pids = (): number[] => readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
  checks.order('run');
  await until(() => checks.tests.output.includes('waits'));
  checks.order('run');
  await until(() => checks.tests.output.includes('waits') && pids().length === 4);
  await until(() => pids().map(isRunning).join() === 'false,false,true,true');
  checks.close();
  await until(() => !pids().some(isRunning));
});

it('says that a project has no runner', async () => {
  make({ 'package.json': '{}' });
  checks.order('run');
  expect(await phase('failed')).toMatchObject({ runner: undefined, output: expect.stringContaining('jest') });
});
