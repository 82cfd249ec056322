import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import type { Place } from '../src/client';
import { CLIENTS } from '../src/clients';
import { filesOf, thisMachine } from '../src/machine';
import { runCapturedIn, type Said } from '../../../test/support/captured-cli';
import { TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
let home: string;
let project: string;

beforeEach(() => {
  home = folders.make();
  jest.spyOn(os, 'homedir').mockReturnValue(home);
  project = folders.make({
    'package.json': JSON.stringify({
      name: '@you/notes',
      main: 'dist/main.js',
      dependencies: { '@sigil-mcp/core': '*' },
    }),
    'dist/main.js': 'require("@sigil-mcp/core/stdio");',
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  folders.removeAll();
});

it('does not touch the real folder of the user', () => expect(thisMachine({}, '.').home).toBe(home));

const install = (...words: string[]): Promise<Said> => runCapturedIn({ cwd: project }, 'install', ...words);

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const cursor = (): string => join(home, '.cursor', 'mcp.json');

describe('sigil install', () => {
  it('shows the change, makes it and says what the application will run', async () => {
    const { status, stdout, stderr } = await install('cursor', '--yes');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(`~/.cursor/mcp.json (new)
+ {
+   "mcpServers": {
+     "notes": {
+       "command": "node",
+       "args": [
+         "${project}/dist/main.js"
+       ]
+     }
+   }
+ }
✓ Cursor: added notes. Cursor shows it under Settings, MCP.
  It starts: node ${project}/dist/main.js
`);
    expect(json(cursor())).toEqual({
      mcpServers: { notes: { command: 'node', args: [join(project, 'dist/main.js')] } },
    });
    const again = await install('cursor', '--yes');
    expect(again.stdout).toContain('✓ Cursor has notes already: ~/.cursor/mcp.json');
    expect(existsSync(`${cursor()}.sigil-backup`)).toBe(false);
  });

  /** Claude Desktop, for example, does not run on Linux. */
  const here = CLIENTS.filter(({ places: { user } }) => user && filesOf(user, thisMachine({}, '.')).length > 0);

  it.each(here.map(({ id }) => [id]))('makes the file of an application on a new machine: %s', async (id) => {
    expect(await install(id, '--yes', '--', 'npx', '-y', 'foo')).toMatchObject({ status: 0, stderr: '' });
    expect((await install(id, '--remove', '--yes', '--name', 'foo')).stdout).toContain('removed foo');
  });

  it('reads no pipe of a project, which would wait for ever', async () => {
    // Windows has none in a folder.
    if (process.platform === 'win32') return;
    mkdirSync(join(project, '.cursor'));
    execFileSync('mkfifo', ['.env.example', 'dist/a.js', '.cursor/mcp.json'], { cwd: project });
    expect(await install('cursor', '--yes')).toMatchObject({ status: 0, stderr: '' });
    expect((await install('cursor', '--yes', '--project')).stderr).toContain(
      'mcp.json cannot be read: it is not a file',
    );
    expect((await install('--list')).stdout.replace(/\s+/g, ' ')).toContain('it is not a file');
  });

  it('changes nothing with --dry-run, and asks for --yes without a terminal', async () => {
    expect(await install('cursor', '--dry-run')).toMatchObject({ status: 0, stderr: '' });
    expect(await install('cursor')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('SIGIL_INSTALL_UNASKED'),
    });
    expect(existsSync(join(home, '.cursor'))).toBe(false);
  });

  it('writes a project without paths of this machine', async () => {
    await install('cursor', '--project', '--yes');
    await install('claude-code', '--project', '--yes', '--dev');
    expect(json(join(project, '.cursor/mcp.json'))).toEqual({
      mcpServers: { notes: { command: 'node', args: ['${workspaceFolder}/dist/main.js'] } },
    });
    expect(json(join(project, '.mcp.json'))).toEqual({
      mcpServers: {
        notes: { type: 'stdio', command: 'node', args: ['node_modules/@sigil-mcp/cli/dist/main.js', 'dev'] },
      },
    });
  });

  it('starts sigil dev with the command that is installed, also in a folder above', async () => {
    const workspace = folders.make({
      'node_modules/@sigil-mcp/cli/dist/main.js': '',
      'packages/my notes/package.json': '{ "name": "notes" }',
      'packages/my notes/src/main.ts': '',
    });
    const cwd = join(workspace, 'packages', 'my notes');
    await runCapturedIn({ cwd }, 'install', 'cursor', '--yes', '--dev');
    await runCapturedIn({ cwd }, 'install', 'cursor', '--yes', '--dev', '--project');
    const main = 'node_modules/@sigil-mcp/cli/dist/main.js';
    expect(json(cursor())).toEqual({
      mcpServers: { notes: { command: 'node', args: [join(workspace, main), 'dev', join(cwd, 'src/main.ts')] } },
    });
    expect(json(join(cwd, '.cursor/mcp.json'))).toEqual({
      mcpServers: {
        notes: {
          command: 'node',
          args: [`\${workspaceFolder}/../../${main}`, 'dev', '${workspaceFolder}/src/main.ts'],
        },
      },
    });
  });

  it('writes, lists and removes in every file of an application that is there twice', async () => {
    const files = ['packaged', 'ordinary'].map((name) => join(home, name, 'claude.json'));
    write(home, { 'packaged/claude.json': '{ "theme": "dark" }\n', 'ordinary/.keep': '' });
    const { user } = CLIENTS.find(({ id }) => id === 'claude')?.places ?? {};
    const both = ['~/packaged/claude.json', '~/ordinary/claude.json'];
    jest.replaceProperty(user as Place, 'path', { darwin: both, win32: both, other: both });
    expect(await install('claude', '--yes', '--env', 'CITY=Oslo', '--', 'node', 'a b.js')).toMatchObject({ status: 0 });
    const server = { command: 'node', args: ['a b.js'], env: { CITY: 'Oslo' } };
    expect(files.map(json)).toEqual([
      { theme: 'dark', mcpServers: { 'a-b': server } },
      { mcpServers: { 'a-b': server } },
    ]);
    const { stdout } = await install('--list');
    expect(stdout.match(/^claude .*a-b$/gm)).toHaveLength(2);
    expect(await install('claude', '--remove', '--name', 'a-b', '--yes')).toMatchObject({ status: 0 });
    expect(files.map(json)).toEqual([{ theme: 'dark', mcpServers: {} }, { mcpServers: {} }]);
    const absent = await install('claude', '--remove', '--name', 'a-b', '--yes');
    expect(absent.stderr).toContain('SIGIL_INSTALL_ABSENT');
  });

  it('removes the server, and keeps a copy of the file', async () => {
    write(home, { '.cursor/mcp.json': '{\n  // mine\n  "mcpServers": { "a": { "url": "http://x" } }\n}\n' });
    const before = readFileSync(cursor(), 'utf8');
    await install('cursor', '--yes');
    expect(readFileSync(`${cursor()}.sigil-backup`, 'utf8')).toBe(before);
    expect(await install('cursor', '--remove', '--yes')).toMatchObject({ status: 0 });
    expect(readFileSync(cursor(), 'utf8')).toBe(before);
    const absent = await install('cursor', '--remove', '--yes');
    expect(absent.stderr).toContain('Cursor has no server notes in');
    expect(absent.stderr).toContain('It has a. Name one of them with --name.');
  });

  it.each(['&|^%"', 'a b', '$(id)', '`id`', "'", '../x', '__proto__', 'a'.repeat(65), ''])(
    'refuses the name %j (CVE-2025-64340)',
    async (name) => {
      const { status, stderr } = await install('cursor', '--yes', '--name', name);
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('SIGIL_INSTALL_NAME') });
      expect(existsSync(cursor())).toBe(false);
    },
  );

  it('passes arguments with the characters of shells as they are (CVE-2025-64340, CVE-2026-30623)', async () => {
    const args = ['-y', '@you/x@1', '&|^%"', '$(touch pwned)', '`id`', 'C:\\x y\\', ';', '>', "'"];
    const { stdout } = await install('cursor', '--yes', '--', 'npx', ...args);
    expect(json(cursor())).toEqual({ mcpServers: { x: { command: 'npx', args } } });
    // The command is shown, because settings of applications are programs that will run.
    expect(stdout).toContain('It starts: npx -y @you/x@1 "&|^%\\"" "$(touch pwned)"');
  });

  it('makes a valid name of that of any package', async () => {
    write(project, { 'package.json': JSON.stringify({ name: '@a&b/my.notes|x', main: 'dist/main.js' }) });
    await install('cursor', '--yes');
    expect(json(cursor())).toHaveProperty(['mcpServers', 'my-notes-x']);
  });

  it('takes a URL', async () => {
    await install('claude-code', 'https://mcp.example.com/mcp', '--token-env', 'TOKEN', '--yes');
    expect(json(join(home, '.claude.json'))).toEqual({
      mcpServers: {
        'mcp-example-com': {
          type: 'http',
          url: 'https://mcp.example.com/mcp',
          headers: { Authorization: 'Bearer ${TOKEN}' },
        },
      },
    });
    await install('cursor', 'localhost:3000/mcp', '--yes');
    expect(json(cursor())).toEqual({ mcpServers: { notes: { url: 'http://localhost:3000/mcp' } } });
  });

  it.each([
    [['cursor', 'ftp://x']],
    [['cursor', 'http://me:pass@x/mcp']],
    [['cursor', 'npx', 'some-server']],
    [['cursor', 'no-such-folder']],
    [['cursor', '--', '']],
  ])('refuses what is no server: %j', async (words) => {
    const { status, stderr } = await install('--yes', ...words);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('SIGIL_INSTALL_TARGET') });
  });

  it('says that a server is not compiled, or serves HTTP only', async () => {
    write(project, { 'dist/main.js': 'require("@sigil-mcp/fastify"); require("@sigil-mcp/core/stdio/guard");' });
    expect((await install('cursor', '--yes')).stderr).toContain('sigil install cursor http://127.0.0.1:3000/mcp');
    write(project, { 'package.json': JSON.stringify({ name: 'x', bin: { x: 'out/x.js' } }) });
    expect((await install('cursor', '--yes')).stderr).toContain('Run npm run build first');
  });

  it('needs values for what .env.example lists, and shows no secret', async () => {
    write(project, { '.env.example': '# Of the API\nAPI_KEY=\nREGION=eu\n#LOG=json\n' });
    const without = await install('cursor', '--yes');
    expect(without.stderr).toContain('The server needs values for API_KEY, which .env.example lists.');
    const { stdout } = await runCapturedIn(
      { cwd: project, env: { API_KEY: 's3cret"\\' } },
      ...['install', 'cursor', '--yes', '--env', 'API_KEY', '-e', 'EXTRA=1'],
    );
    expect(stdout).not.toContain('s3cret');
    expect(json(cursor())).toHaveProperty(['mcpServers', 'notes', 'env'], {
      REGION: 'eu',
      API_KEY: 's3cret"\\',
      EXTRA: '1',
    });
    // What is there is kept.
    expect((await install('cursor', '--yes')).stdout).toContain('has notes already');
    expect((await install('cursor', '--remove', '--yes')).stdout).not.toContain('s3cret');
  });

  it('puts no secret into a file of the project', async () => {
    write(project, { '.env.example': 'API_KEY=\n' });
    const { status, stderr } = await install('zed', '--project', '--yes', '--env', 'API_KEY=s3cret');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('SIGIL_INSTALL_SECRET') });
    expect(existsSync(join(project, '.zed'))).toBe(false);
    const { stdout } = await install('cursor', '--project', '--yes', '--env', 'API_KEY=s3cret');
    expect(stdout).toContain('Set API_KEY in the environment that Cursor is started in.');
    expect(readFileSync(join(project, '.cursor/mcp.json'), 'utf8')).toContain('"API_KEY": "${env:API_KEY}"');
    await install('vscode', '--project', '--yes');
    expect(json(join(project, '.vscode/mcp.json'))).toMatchObject({
      inputs: [{ id: 'notes-api-key', password: true }],
    });
  });

  it('writes the names of variables into the files of a project, and only values that are committed already', async () => {
    write(project, { '.env.example': 'REGION=eu\nPLACE=\nMODE=fast\n' });
    const values = ['--env', 'PLACE=s3cret', '--env', 'MODE=s3cret', '--env', 'EXTRA=s3cret'];
    const { stdout } = await install('claude-code', '--project', '--yes', ...values);
    expect(json(join(project, '.mcp.json'))).toMatchObject({
      mcpServers: { notes: { env: { REGION: 'eu', PLACE: '${PLACE}', MODE: '${MODE}', EXTRA: '${EXTRA}' } } },
    });
    expect(stdout).not.toContain('s3cret');
    expect(stdout).toContain('Set PLACE, MODE, EXTRA in the environment');
    // In a file of the user, values are values.
    await install('cursor', '--yes', '--env', 'PLACE=here');
    expect(json(cursor())).toHaveProperty(['mcpServers', 'notes', 'env', 'PLACE'], 'here');
  });

  it('refuses a broken file with its line, and leaves it as it is', async () => {
    const broken = '{\n  "mcpServers": {\n    "a": {\n';
    write(home, { '.cursor/mcp.json': broken });
    const { status, stderr } = await install('cursor', '--yes');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('mcp.json:4 is not valid: ') });
    expect(readFileSync(cursor(), 'utf8')).toBe(broken);
  });

  it('lists the applications on this machine', async () => {
    expect((await install('--list')).stdout).toBe('No settings of a known application were found.\n');
    mkdirSync(join(home, '.codex'));
    write(home, { '.cursor/mcp.json': '{ "mcpServers": { "a": {}, "b": {} } }', '.gemini/settings.json': '{' });
    write(project, { '.mcp.json': '{}' });
    const { stdout } = await install('--list');
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      `claude-code  project  ${project}/.mcp.json  no servers`,
      'cursor  user  ~/.cursor/mcp.json  a, b',
      'codex  user  ~/.codex/config.toml  no servers',
      expect.stringContaining('gemini  user  ~/.gemini/settings.json'),
      expect.stringContaining('expected'),
      '',
    ]);
  });

  it('has no settings for a project, or for this system, of some applications', async () => {
    expect((await install('windsurf', '--project', '--yes')).stderr).toContain('SIGIL_INSTALL_SCOPE');
    if (process.platform === 'linux')
      expect((await install('claude', '--yes')).stderr).toContain('SIGIL_INSTALL_SYSTEM');
    expect((await install('curser')).stderr).toContain('Did you mean cursor?');
    expect((await install()).stderr).toContain('SIGIL_INSTALL_CLIENT');
  });

  describe('in a project that somebody else has filled', () => {
    const PLACES = [
      ['claude-code', '.mcp.json', '{ "mcpServers": { "a": { "command": "a" } } }'],
      ['vscode', '.vscode/mcp.json', '{ "servers": { "a": { "command": "a" } } }'],
      ['cursor', '.cursor/mcp.json', '{ "mcpServers": { "a": { "command": "a" } } }'],
    ] as const;

    it.each(PLACES)('writes the copy of %s through no link', async (client, file, text) => {
      write(home, { '.bashrc': 'mine' });
      write(project, { [file]: text });
      symlinkSync(join(home, '.bashrc'), join(project, `${file}.sigil-backup`));
      expect(await install(client, '--project', '--yes')).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('mine');
      expect(lstatSync(join(project, `${file}.sigil-backup`)).isFile()).toBe(true);
      expect(readFileSync(join(project, `${file}.sigil-backup`), 'utf8')).toBe(text);
    });

    it.each(PLACES)('changes no file outside of it for %s', async (client, file, text) => {
      write(home, { 'settings.json': text });
      mkdirSync(join(project, file, '..'), { recursive: true });
      symlinkSync(join(home, 'settings.json'), join(project, file));
      const { status, stdout, stderr } = await install(client, '--project', '--yes');
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('is a link that leads out of');
      expect(readFileSync(join(home, 'settings.json'), 'utf8')).toBe(text);
      expect(existsSync(join(home, 'settings.json.sigil-backup'))).toBe(false);
    });

    it.each(['.vscode', '.cursor'])('makes no file behind a folder %s that is a link', async (name) => {
      mkdirSync(join(home, 'elsewhere'));
      symlinkSync(join(home, 'elsewhere'), join(project, name));
      const said = await install(name === '.cursor' ? 'cursor' : 'vscode', '--project', '--yes');
      expect(said.stderr).toContain('is a link that leads out of');
      expect(existsSync(join(home, 'elsewhere', 'mcp.json'))).toBe(false);
    });

    it('changes a file behind a link within it, which stays a link', async () => {
      write(project, { 'settings/mcp.json': '{}' });
      symlinkSync('settings/mcp.json', join(project, '.mcp.json'));
      expect(await install('claude-code', '--project', '--yes')).toMatchObject({ status: 0, stderr: '' });
      expect(lstatSync(join(project, '.mcp.json')).isSymbolicLink()).toBe(true);
      expect(json(join(project, 'settings/mcp.json'))).toHaveProperty('mcpServers.notes');
    });
  });

  it('keeps a file with a secret for its user', async () => {
    write(project, { '.env.example': 'API_KEY=\n' });
    write(home, { '.cursor/mcp.json': '{}' });
    chmodSync(cursor(), 0o644);
    expect(await install('cursor', '--yes', '--env', 'API_KEY=sesame')).toMatchObject({ status: 0 });
    expect(readFileSync(cursor(), 'utf8')).toContain('sesame');
    if (process.platform !== 'win32') expect(statSync(cursor()).mode & 0o777).toBe(0o600);
  });
});
