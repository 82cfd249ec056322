/** `sigil inspect` where there is no server in the end: interrupted, or misled. */
import { mkdtempSync, readdirSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRunning } from './built-app';
import { sigil } from './terminal';

jest.setTimeout(30_000);

let folder: string;
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('Ctrl-C', () => {
  it('cancels the start, and nothing is left', async () => {
    write('silent.js', `console.error('pid ' + process.pid); setInterval(() => {}, 1000);`);
    let server = 0;
    const { status, stdout, stderr } = await sigil(['inspect', '--verbose', 'silent.js'], {
      cwd: folder,
      onStderr: (text, pid) => {
        if (server === 0 && text.includes('pid')) process.kill(pid, 'SIGINT');
        server = Number(/pid (\d+)/.exec(text)?.[1]);
      },
    });
    expect({ status, stdout }).toEqual({ status: 130, stdout: '' });
    expect(stderr).toContain('\nCancelled by Ctrl-C.\n');
    expect(isRunning(server)).toBe(false);
  });

  it('cancels a compiler that never pauses, and what it has not finished is gone', async () => {
    const compiler = `
      exports.createProgram = () => {};
      exports.ScriptTarget = exports.ModuleKind = {};
      exports.findConfigFile = () => {
        const { mkdirSync, writeSync } = require('node:fs');
        mkdirSync(require('node:path').join(__dirname, '..', '.cache', 'sigil', 'abc.' + process.pid), { recursive: true });
        writeSync(2, 'compiling\\n');
        for (;;);
      };`;
    write('node_modules/typescript/index.js', compiler);
    write('package.json', '{}');
    write('src/server.ts', '');
    let told = false;
    const { status, stdout, stderr } = await sigil(['inspect'], {
      cwd: folder,
      onStderr: (_, pid) => {
        if (!told) process.kill(pid, 'SIGINT');
        told = true;
      },
    });
    expect({ status, stdout }).toEqual({ status: 130, stdout: '' });
    expect(stderr).toMatch(/^compiling\nCancelled by Ctrl-C\.\n/);
    expect(readdirSync(join(folder, 'node_modules', '.cache', 'sigil'))).toEqual([]);
  });
});
