/** A server with scripts on a machine without TypeScript, and with a version that has no compiler for programs. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const modules = join(__dirname, '..', '..', '..', 'node_modules');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-typescript-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules).filter((each) => each !== 'typescript' && each !== '.bin'))
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
const { createServer, tool } = require('@sigil-mcp/core');
const { codeToolset } = require('@sigil-mcp/toolsets/code');
const features = [tool('one', { description: 'One' }, () => 1)];
try {
  createServer({ name: 'x', version: '1.0.0', logger: false, features, extensions: [codeToolset()] });
} catch (error) {
  console.log(String(error));
}`;

function problem(): string {
  // Packages are found where they are linked, not where they are.
  const { stdout, stderr } = spawnSync(process.execPath, ['--preserve-symlinks', '-e', PROGRAM], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

it('does not start without TypeScript, and says what to install', () => {
  expect(problem()).toContain('it is not installed');
  expect(problem()).toContain('SIGIL_TOOLSETS_TYPESCRIPT');
});

it('does not start with a version that it cannot call', () => {
  const fake = join(folder, 'node_modules', 'typescript');
  mkdirSync(fake);
  writeFileSync(join(fake, 'package.json'), JSON.stringify({ name: 'typescript', version: '7.0.2', main: './x.js' }));
  writeFileSync(join(fake, 'x.js'), '');
  expect(problem()).toContain('version 7.0.2 has no compiler that it could call');
});
