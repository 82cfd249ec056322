/** `npm run new` in a clone: what it does before it answers, and that it says so. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { until } from '../../support/until';
import { callScript } from './call-script';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sigil-new-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

/** A search path whose npm only notes that somebody called it. */
function withoutNpm(): NodeJS.ProcessEnv {
  write('bin/npm', `#!/bin/sh\necho "$@" >> '${join(folder, 'called')}'\nexit 1\n`);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
  return { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` };
}

it.each(['--help', '-h'])('packs nothing for those who ask what there is: %s', (option) => {
  const script = join(root, 'scripts', 'new.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, option], { encoding: 'utf8', env: withoutNpm() });
  expect({ stdout, status }).toEqual({
    // What has changed since the last build is built first.
    stdout: expect.stringMatching(/^(set-up: .+\n)*Usage: npm .+ \[options\] \[folder\]/),
    status: 0,
  });
  expect(existsSync(join(folder, 'called'))).toBe(false);
});

it('says that it packs the packages before it does', () => {
  const script = join(root, 'scripts', 'new.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, 'x'], { encoding: 'utf8', env: withoutNpm() });
  expect({ stdout, status }).toEqual({
    stdout: expect.stringContaining('set-up: packing the packages of this clone (npm pack)\n'),
    status: 1,
  });
  expect(existsSync(join(folder, 'called'))).toBe(true);
});

it('says what is being built when that begins, and not when it is over', async () => {
  const scripts = [
    'new',
    'prepare',
    'install',
    'build',
    'members',
    'set-up-messages',
    'prune-built',
    'run-command',
    'set-up-lock',
    'file-lock',
    'libraries',
    'bundled',
    'docs/packaged-docs',
  ];
  for (const name of scripts) {
    write(`scripts/${name}.mjs`, '');
    copyFileSync(join(root, 'scripts', `${name}.mjs`), join(folder, 'scripts', `${name}.mjs`));
  }
  for (const member of ['packages/core', 'apps/weather']) write(`${member}/package.json`, '{}');
  for (const list of ['package-lock.json', 'node_modules/.package-lock.json']) write(list, '{ "packages": {} }');
  // A compiler that takes as long as the test likes, and fails.
  write(
    'node_modules/typescript-7/bin/tsc',
    `const wait = () => require('node:fs').existsSync('go') ? process.exit(1) : setTimeout(wait, 20);
console.log("[12:00:00] Building project '${join(folder, 'packages', 'core', 'tsconfig.json')}'...");
console.error('core.ts(1,1): error');
wait();
`,
  );
  const child = spawn(process.execPath, [join(folder, 'scripts', 'new.mjs'), '--help']);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until(() => said.includes('set-up: building'));
  const saidBefore = said;
  write('go', '');
  expect(await ended).toBe(1);
  expect(saidBefore).toBe('set-up: building packages/core\n');
  expect(said).toContain('core.ts(1,1): error\nThe build failed');
});

it('the libraries are bundled again where one of them was compiled, described or taken away since, and not otherwise', () => {
  const note = join(folder, '.sigil', 'bundles', 'core');
  const files = ['package.json', 'tsconfig.json', 'dist/tsconfig.tsbuildinfo'].map((name) => `packages/core/${name}`);
  const isBundled = (): unknown => callScript('bundled.mjs', 'isBundled', folder, ['packages/core']);
  for (const file of files) write(file, '{ "exports": {} }');
  write('packages/core/dist/core.js', '');
  expect(isBundled()).toBe(false);
  write('.sigil/bundles/core', '');
  const [before, at, after] = [1000, 2000, 3000].map((seconds) => new Date(seconds * 1000));
  for (const file of files) utimesSync(join(folder, file), before!, before!);
  utimesSync(note, at!, at!);
  expect(isBundled()).toBe(true);
  for (const file of files) {
    utimesSync(join(folder, file), after!, after!);
    expect([file, isBundled()]).toEqual([file, false]);
    utimesSync(join(folder, file), before!, before!);
  }
  expect(isBundled()).toBe(true);
  rmSync(join(folder, 'packages', 'core', 'dist', 'core.js'));
  expect(isBundled()).toBe(false);
});
