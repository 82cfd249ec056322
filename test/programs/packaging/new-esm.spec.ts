/** As a stranger would make a project of ES modules: from tarballs to a server that an official client calls. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChoosingUser } from '../../support/authorization-server/headless-sign-in';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { createInstalled, sigilIn } from './installed-project';
import { CREATE, packAll, type Packed } from './packed';
import { plainEnvironment, run, runWell, type Ran } from './run-command';
import { runTokenTests } from './token-tests';
import { writeDescriptions } from './write-descriptions';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-new-esm-')));
const project = join(folder, 'my-server');
let packed: Packed;

jest.setTimeout(300_000);

beforeAll(async () => {
  packed = await packAll();
  await createInstalled(folder, 'my-server', ['--esm', '--tokens', '--transport', 'both']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits until a server asks for a token, which takes a while. */
async function serves(url: string): Promise<void> {
  const status = (): Promise<number> =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      (response) => response.status,
      () => 0,
    );
  await until(async () => (await status()) === 401);
}

const sigil = (...words: string[]): Promise<Ran> => sigilIn(project, ...words);

describe('npm create @sigil-mcp -- --esm --tokens', () => {
  it('makes a project of ES modules that is installed and built', () => {
    expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).toMatchObject({ type: 'module' });
    expect(readFileSync(join(project, 'dist', 'main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\nimport /);
  });

  it('whose own tests pass, also those of what is added', async () => {
    for (const words of ['tool findNote', 'feature tasks', 'tool addTask -f tasks'])
      expect(await sigil('add', ...words.split(' '))).toMatchObject({ code: 0 });
    writeDescriptions(project);
    const { code, stdout, stderr } = await run('npm', ['test'], project);
    expect([stdout, stderr, code]).toEqual([stdout, expect.stringContaining('Tests:       28 passed, 28 total'), 0]);
    // Nor the line of the server that the test of the tokens starts.
    expect(stdout + stderr).not.toMatch(/WARN|Listening/);
    await runWell('npm', ['run', 'build'], project);
  });

  it('that every command works on, and in which the doctor finds nothing', async () => {
    expect(await sigil('inspect')).toMatchObject({ code: 0, stdout: expect.stringContaining('takeNote') });
    expect(await sigil('call', '.', 'takeNote', 'title=milk', 'text=two')).toMatchObject({
      code: 0,
      stdout: 'Took the note "milk".\n',
    });
    expect(await sigil('doctor')).toMatchObject({ code: 0, stdout: expect.stringContaining('No problems found.') });
  });

  it('that its linter and its formatter accept, with the code that was added', async () => {
    await runWell('npm', ['run', 'lint'], project);
  });

  it('whose bundle has the version of package.json in it', async () => {
    await runWell('npm', ['run', 'bundle'], project);
    const alone = join(folder, 'alone.mjs');
    copyFileSync(join(project, 'bundle', 'main.mjs'), alone);
    const { stdout } = await sigil('inspect', '--', process.execPath, alone);
    expect(stdout).toMatch(/^my-server 0\.1\.0$/m);
  });

  it('that the official client calls over stdio', async () => {
    const client = new Client({ name: 'official-client', version: '2' });
    const command = { command: process.execPath, args: [join(project, 'dist', 'main.js')] };
    await client.connect(new StdioClientTransport(command));
    const taken = await client.callTool({ name: 'takeNote', arguments: { title: 'milk', text: 'two bottles' } });
    expect(taken).toMatchObject({ content: [{ type: 'text', text: 'Took the note "milk".' }] });
    expect(JSON.stringify(await client.readResource({ uri: 'notes://all' }))).toContain('two bottles');
    await client.close();
  });

  it('that npm run dev and npm start serve with an issuer to sign in at', async () => {
    for (const words of [['run', 'dev'], ['start']]) {
      const url = `http://127.0.0.1:${await freePort()}/mcp`;
      const env = { ...plainEnvironment(), PORT: new URL(url).port };
      const child = spawn('npm', words, { cwd: project, env, stdio: 'ignore', detached: true });
      try {
        const user = new ChoosingUser('writer');
        await serves(url);
        const first = new StreamableHTTPClientTransport(new URL(url), { authProvider: user });
        await expect(new Client({ name: 'client', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
        await first.finishAuth(user.callback ?? new URLSearchParams());
        const client = new Client({ name: 'client', version: '1' });
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: user }));
        const taken = await client.callTool({ name: 'takeNote', arguments: { title: 'milk', text: 'two bottles' } });
        expect(taken).toMatchObject({ content: [{ type: 'text', text: 'Took the note "milk".' }] });
        await client.close();
      } finally {
        const closed = once(child, 'close');
        process.kill(-child.pid!, 'SIGTERM');
        await closed;
      }
    }
  });

  it('that does not start in production without an issuer, and says why', async () => {
    const env = { ...plainEnvironment(), NODE_ENV: 'production', PORT: String(await freePort()) };
    const { code, stderr } = await run(process.execPath, ['dist/main.js', '--http'], project, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('ISSUER is not set. It is the URL of your')]);
  });

  it('whose jest reads what @sigil-mcp/oauth needs, without a setting', async () => {
    const { stderr, code } = await runTokenTests(project, packed);
    expect([stderr, code]).toEqual([expect.stringContaining('Tests:       4 passed, 4 total'), 0]);
  });
});

describe.each(['empty', 'database'])('npm create @sigil-mcp -- --template %s', (template) => {
  const other = join(folder, template);

  it('makes a project whose tests, linter and formatter go well', async () => {
    const args = [CREATE, template, '--yes', '--esm', '--tokens', '--transport', 'both', '--template', template];
    expect(await run(process.execPath, [...args, '--no-install', '--packages', packed.folder], folder)).toMatchObject({
      code: 0,
    });
    // The same packages.
    symlinkSync(join(project, 'node_modules'), join(other, 'node_modules'));
    expect(await sigilIn(other, 'contract')).toMatchObject({ code: 0 });
    const tested = await run('npm', ['test'], other);
    expect([tested.stderr, tested.code]).toEqual([expect.stringMatching(/^Tests: +\d+ passed, \d+ total$/m), 0]);
    await runWell('npm', ['run', 'lint'], other);
    const { stdout, code } = await sigilIn(other, 'inspect');
    expect([code, stdout.includes('findNotes')]).toEqual([0, template === 'database']);
  });
});
