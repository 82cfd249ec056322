/** `sigil inspect` where there is no server in the end: interrupted, or misled. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRunning } from './built-app';
import { sigil, spawnSigil } from './terminal';

jest.setTimeout(150_000);

let folder: string;
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('needs nothing of what only servers are made with: it runs where core has no peers', () => {
  const cli = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'index.js');
  const list = `require(${JSON.stringify(cli)}); console.log(Object.keys(require.cache).join('\\n'))`;
  const loaded = execFileSync(process.execPath, ['-e', list], { encoding: 'utf8' });
  expect(loaded).toContain('adapter.js');
  expect(loaded).not.toMatch(/node_modules.(reflect-metadata|class-validator|class-transformer|ajv)/);
});

describe('Ctrl-C', () => {
  it('cancels the start, and nothing is left', async () => {
    write('silent.js', `console.error('pid ' + process.pid); setInterval(() => {}, 1000);`);
    let server = 0;
    const { status, stdout, stderr } = await spawnSigil(['inspect', '--verbose', 'silent.js'], {
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
    const { status, stdout, stderr } = await spawnSigil(['inspect'], {
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

describe('what is said', () => {
  it('of a file that is no program is what can be a target', async () => {
    write('package.json', '{}');
    expect(await sigil(['inspect', 'package.json'], { cwd: folder })).toEqual({
      status: 4,
      stdout: '',
      stderr:
        '"package.json" is neither a server nor a program that could be one. [SIGIL_CLI_TARGET_PROGRAM]\n' +
        'Use a URL, a .js or .ts file, a project folder, an executable file, or a command after --.\n',
    });
  });

  it('of HTTP 500 is that the server failed', async () => {
    const server = createServer((_, response) => void response.writeHead(500).end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { status, stderr } = await sigil(['inspect', url]);
    server.close();
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: `The server at ${url} failed (HTTP 500). [SIGIL_CLI_SERVER_FAILED]\nLook for the reason in its log.\n`,
    });
  });

  it('of a program has nothing about headers', async () => {
    const { stderr } = await sigil(['inspect', '--', 'cat']);
    expect(stderr).toMatch(
      /\nCheck that it is an MCP server, and over HTTP whether it needs a token \(--header\)\.\n$/,
    );
  });

  it.each(['inspect', 'call', 'read', 'prompt'])('by %s --help has no defaults that say nothing', async (command) => {
    const { status, stdout } = await sigil([command, '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('--header');
    expect(stdout).not.toContain('{}');
  });
});

describe('a file that ends and has served nothing', () => {
  it('is named, with what to write into it and the file that may be meant', async () => {
    write('package.json', '{ "main": "server.js" }');
    write('server.js', 'exports.other = 1;');
    const { status, stderr } = await sigil(['inspect', '.'], { cwd: folder });
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: `"server.js" ended (status 0) before it answered as an MCP server: it does not export a server and does not start one. [SIGIL_CLI_NO_SERVER]
Export it (export const server = createServer(...)), or name the file that does.
`,
    });
    write('src/main.ts', '');
    const beside = await sigil(['call', 'server.js', 'greet'], { cwd: folder });
    expect(beside.stderr).toContain('or name the file that does, such as src/main.ts.\n');
  });

  it('is shown with what it wrote to stderr', async () => {
    write('server.js', `console.error('Nothing to do.');`);
    const { stderr } = await sigil(['inspect', 'server.js'], { cwd: folder });
    expect(stderr).toContain('Its last output on stderr:\n  Nothing to do.\n');
  });
});
