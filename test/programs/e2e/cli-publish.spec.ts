/** `sigil publish --check`: one source for package.json, server.json and what the server says, and a start from an empty folder. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sigil, type Ran } from './terminal';

jest.setTimeout(150_000);

const root = join(__dirname, '..', '..', '..');
const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const MANIFEST = {
  ...{ name: '@you/notes', version: '1.2.3', description: 'Takes notes', repository: 'github:you/notes' },
  ...{ bin: { notes: 'dist/main.js' }, files: ['dist'], dependencies: { '@sigil-mcp/core': '*' } },
};
const PACKAGE = `${JSON.stringify(MANIFEST, null, 4)}\n`;

const SERVER = `#!/usr/bin/env node
require('@sigil-mcp/core/stdio/guard');
const { createServer, tool } = require('@sigil-mcp/core');
const { StdioTransport } = require('@sigil-mcp/core/stdio');
const { version } = require('../package.json');
if (process.env['API_KEY'] === undefined) throw new Error('no key');
const take = tool('take', { description: 'Takes a note' }, () => 'ok');
void createServer({ name: 'notes', title: 'Notes', version, features: [take] }).listen(new StdioTransport());
`;

/** A project inside of the repository, whose packages it finds. */
function project(files: Readonly<Record<string, string>> = {}): string {
  mkdirSync(join(root, '.sigil'), { recursive: true });
  const folder = mkdtempSync(join(root, '.sigil', 'publish-'));
  made.push(folder);
  const all = { 'package.json': PACKAGE, 'dist/main.js': SERVER, '.env.example': '# Of the API\nAPI_KEY=\n', ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const publish = (cwd: string, ...words: string[]): Promise<Ran> =>
  sigil(['publish', '--check', ...words], { cwd, env: { npm_config_update_notifier: 'false' } });
const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

describe('sigil publish --check', () => {
  it('writes server.json and mcpName from package.json, .env.example and the server, and then changes nothing', async () => {
    const folder = project();
    const dry = await publish(folder, '--dry-run');
    expect(dry).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Not up to date: package.json and server.json.'),
    });
    expect(readdirSync(folder)).not.toContain('server.json');
    const { status, stdout, stderr } = await publish(folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('✓ io.github.you/notes can be published');
    expect(stdout).toContain('packed by npm: 2 files');
    expect(JSON.parse(read(folder, 'server.json'))).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      ...{ name: 'io.github.you/notes', title: 'Notes', description: 'Takes notes', version: '1.2.3' },
      repository: { url: 'https://github.com/you/notes', source: 'github' },
      packages: [
        {
          ...{ registryType: 'npm', identifier: '@you/notes', version: '1.2.3', transport: { type: 'stdio' } },
          environmentVariables: [{ name: 'API_KEY', description: 'Of the API', isRequired: true, isSecret: true }],
        },
      ],
    });
    // The rest of package.json stays as it is.
    expect(read(folder, 'package.json')).toBe(
      PACKAGE.replace(/\n\}\n$/, ',\n    "mcpName": "io.github.you/notes"\n}\n'),
    );
    expect((await publish(folder, '--dry-run')).status).toBe(0);
  });

  it('follows a new version, and keeps what only server.json has', async () => {
    const before = {
      ...{ name: 'old', version: '0.1.0', icons: [{ src: 'https://x.org/i.png' }], title: 'Mine' },
      packages: [
        { registryType: 'npm', identifier: 'old', version: '0.1.0', transport: { type: 'stdio' }, runtimeHint: 'npx' },
      ],
    };
    const folder = project({ 'server.json': JSON.stringify(before) });
    expect(await publish(folder)).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(read(folder, 'server.json'))).toMatchObject({
      ...{ name: 'io.github.you/notes', version: '1.2.3', icons: before.icons },
      packages: [{ identifier: '@you/notes', version: '1.2.3', runtimeHint: 'npx' }],
    });
  });

  it('lists every problem with its file and its fix, and writes nothing', async () => {
    const folder = project({ 'package.json': JSON.stringify({ private: true, version: '1' }) });
    const { status, stdout, stderr } = await publish(folder);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('SIGIL_PUBLISH_PROBLEMS') });
    for (const part of ['no "name"', 'no valid "version"', 'no "description"', 'no "mcpName"', '"private"', 'no "bin"'])
      expect(stdout).toContain(part);
    expect(stdout).toMatch(/✗ package\.json: it has no "bin", .*\.\n {4}Add "bin"/);
  });

  it.each([
    [
      'a version in the code',
      { 'dist/main.js': SERVER.replace("title: 'Notes', version", "version: '1.0.0'") },
      'it says the version 1.0.0, but package.json has 1.2.3',
    ],
    [
      'a version in manifest.json',
      { 'manifest.json': '{ "version": "1.0.0" }' },
      '✗ manifest.json: it has the version 1.0.0',
    ],
    [
      'another package in server.json',
      {
        'server.json':
          '{ "packages": [{ "registryType": "mcpb", "identifier": "x", "version": "1.0.0", "transport": { "type": "stdio" } }] }',
      },
      'packages[1] has the version 1.0.0, but package.json has 1.2.3',
    ],
    [
      'a long description',
      { 'package.json': JSON.stringify({ ...MANIFEST, description: 'x'.repeat(101) }) },
      '"description" does not have 1 to 100 characters',
    ],
    ['a broken server.json', { 'server.json': '{' }, '✗ server.json: '],
    ['no first line', { 'dist/main.js': SERVER.replace(/^.*\n/, '') }, 'does not begin with #!/usr/bin/env node'],
  ])('finds %s', async (_, files, message) => {
    const folder = project(files);
    const before = readdirSync(folder).sort();
    const { status, stdout } = await publish(folder);
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(message) });
    expect(readdirSync(folder).sort()).toEqual(before);
  });

  it.each([
    [
      'a file that npm does not pack',
      { 'data.json': '1', 'dist/main.js': SERVER.replace('if (', "require('../data.json');\nif (") },
      'data.json',
    ],
    [
      'a dependency for development only',
      {
        'package.json': JSON.stringify({ ...MANIFEST, dependencies: {}, devDependencies: { '@sigil-mcp/core': '*' } }),
      },
      '@sigil-mcp/core',
    ],
  ])('starts what npm packs, so it finds %s', async (_, files, message) => {
    const folder = project(files);
    const { status, stderr } = await publish(folder);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
    expect(readdirSync(folder)).not.toContain('server.json');
  });
});
