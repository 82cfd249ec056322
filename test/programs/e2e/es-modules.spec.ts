/** A project of ES modules as `sigil new --esm` writes it: every command works on it, and what fails there says why. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until';
import { CLI } from './dev-project';
import { sigil } from './terminal';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
let folder: string;
let project: string;

beforeAll(async () => {
  // Within the repository, so that it finds the packages.
  mkdirSync(join(root, '.sigil'), { recursive: true });
  folder = realpathSync(mkdtempSync(join(root, '.sigil', 'esm-')));
  project = join(folder, 'notes');
  expect(await sigil(['new', project, '--esm', '--yes', '--no-install', '--no-git'])).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(project, path), text);
const tool = (name: string): string => join(root, 'node_modules', '.bin', name);
/** The native compiler: commands compile the project with its own. */
const TSC = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { cwd: project, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });

describe('a project of ES modules', () => {
  it('is one from its manifest to its imports', () => {
    expect(JSON.parse(read('package.json'))).toMatchObject({ type: 'module' });
    expect(read('src/main.ts')).toContain("from './server.js'");
    expect(read('src/server.ts')).toContain("from './notes.feature.js'");
    expect(read('test/notes.spec.ts')).toContain("from '../src/server.js'");
    expect(read('jest.config.js')).toBe("export default { preset: '@sigil-mcp/testing' };\n");
  });

  it.each(['node20', 'nodenext'])('is inspected and called as it stands, with module %s', async (module) => {
    write('tsconfig.json', read('tsconfig.json').replace(/"module": "\w+"/, `"module": "${module}"`));
    const inspected = await sigil(['inspect'], { cwd: project });
    expect(inspected).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('takeNote') });
    const called = await sigil(['call', '.', 'takeNote', 'title=milk', 'text=two'], { cwd: project });
    expect(called).toMatchObject({ status: 0, stdout: 'Took the note "milk".\n' });
    expect(await sigil(['read', 'src/main.ts', 'notes://all'], { cwd: project })).toMatchObject({ status: 0 });
  });

  it('is inspected after the build, whether a file serves or exports', async () => {
    expect(run(process.execPath, TSC)).toMatchObject({ status: 0, stdout: '' });
    for (const target of ['dist/main.js', 'dist/server.js'])
      expect(await sigil(['inspect', target], { cwd: project })).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('takeNote'),
      });
  });

  it('adds pieces that import as ES modules do, and passes its tests without a flag', async () => {
    for (const words of ['tool findNote', 'feature tasks'])
      expect(await sigil(['add', ...words.split(' ')], { cwd: project })).toMatchObject({ status: 0, stderr: '' });
    // Its author writes what a model should read.
    for (const path of ['src/notes.feature.ts', 'src/tasks.feature.ts'])
      write(path, read(path).replaceAll('TODO: ', ''));
    expect(read('src/server.ts')).toContain("from './tasks.feature.js'");
    expect(read('test/tasks.spec.ts')).toContain("from '../src/server.js'");
    expect(run(process.execPath, TSC, '-p', 'test')).toMatchObject({ status: 0, stdout: '' });
    const { stderr, status } = run(tool('jest'));
    expect([stderr, status]).toEqual([expect.stringContaining('Tests:       21 passed, 21 total'), 0]);
  });

  it('uses import.meta and packages that are ES modules only, in tests too', () => {
    const only = join(project, 'node_modules', 'only-esm');
    mkdirSync(only, { recursive: true });
    writeFileSync(join(only, 'package.json'), '{"name":"only-esm","type":"module","exports":{"import":"./index.js"}}');
    writeFileSync(join(only, 'half.js'), 'export default (n) => n / 2;\n');
    writeFileSync(
      join(only, 'index.js'),
      "import half from './half.js';\nexport const place = () => import.meta.url + half(2);\n",
    );
    writeFileSync(join(only, 'index.d.ts'), 'export const place: () => string;\n');
    write(
      'test/meta.spec.ts',
      `import { readFileSync } from 'node:fs';
import { place } from 'only-esm';
it('is an ES module', () => {
  expect(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).toContain('"notes"');
  expect(import.meta.filename).toBe(import.meta.dirname + '/meta.spec.ts');
  expect(place()).toMatch(/^file:.*only-esm\\/index\\.js1$/);
});
`,
    );
    const { stderr, status } = run(tool('jest'), 'meta');
    rmSync(join(project, 'test', 'meta.spec.ts'));
    expect([stderr, status]).toEqual([expect.stringContaining('Tests:       1 passed, 1 total'), 0]);
  });

  it('ends its tests also where one fails before it closes what it opened', () => {
    write(
      'test/leaves.spec.ts',
      `import { connect, issuer } from '@sigil-mcp/testing';
it('fails in the middle', async () => {
  await issuer();
  const client = await connect({ command: process.execPath, args: ['dist/main.js'] });
  expect(await client.listTools()).toBe(undefined);
  await client.close();
});
let ofAll: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => void (ofAll = await connect({ command: process.execPath, args: ['dist/main.js'] })));
it.each([1, 2])('what was opened for all tests stays open (%s)', async () => {
  expect((await ofAll.listTools()).tools.length).toBeGreaterThan(0);
});
`,
    );
    const { stderr, status } = spawnSync(tool('jest'), ['leaves'], { cwd: project, encoding: 'utf8', timeout: 90_000 });
    rmSync(join(project, 'test', 'leaves.spec.ts'));
    expect([stderr, status]).toEqual([expect.stringContaining('Tests:       1 failed, 2 passed, 3 total'), 1]);
  });

  it('is exchanged by sigil dev under a client that stays', async () => {
    const client = new Client({ name: 'official-client', version: '2' });
    const args = [CLI, 'dev'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: project, stderr: 'ignore' }));
    const described = async (): Promise<string | undefined> =>
      (await client.listTools()).tools.find(({ name }) => name === 'takeNote')?.description;
    expect(await described()).toMatch(/^Takes a note/);
    write('src/notes.feature.ts', read('src/notes.feature.ts').replace('Takes a note', 'Keeps a note'));
    await until(async () => /^Keeps/.test((await described()) ?? ''));
    expect(await described()).toMatch(/^Keeps a note/);
    await client.close();
  });
});

describe('what fails in an ES module', () => {
  const program = (name: string, text: string): string => {
    write(`src/${name}.ts`, text);
    return `src/${name}.ts`;
  };
  afterEach(() => rmSync(join(project, 'src', 'failing.ts'), { force: true }));

  it('is told with the words of the program and its place in the source', async () => {
    const target = program('failing', "const reason: string = 'not today';\nexport {};\n\nthrow new Error(reason);\n");
    const { status, stderr } = await sigil(['inspect', target], { cwd: project });
    expect(status).toBe(4);
    expect(stderr.match(/Error: not today/g)).toHaveLength(1);
    expect(stderr).toMatch(/failing\.ts:4:\d+/);
  });

  it('is told, also where the server is made after a wait', async () => {
    const target = program(
      'failing',
      "import { createServer } from '@sigil-mcp/core';\nawait new Promise((done) => setTimeout(done, 300));\n" +
        "export const late = createServer({ name: 'late', version: '1' });\n",
    );
    const { status, stdout } = await sigil(['inspect', target], { cwd: project });
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('late 1') });
  });

  it('names the class and the remedy where files import each other, and so does the doctor', async () => {
    program(
      'author',
      `import { Describe } from '@sigil-mcp/core';
import { IsString } from 'class-validator';
import { Book } from './book.js';
export class Author {
  @Describe('Name') @IsString() name!: string;
  @Describe('First book') book?: Book;
}
`,
    );
    program(
      'book',
      `import { Describe } from '@sigil-mcp/core';
import { Author } from './author.js';
export class Book {
  @Describe('Who wrote it') author?: Author;
}
`,
    );
    const target = program('failing', "import 'reflect-metadata';\nexport { Author } from './author.js';\n");
    const { status, stderr } = await sigil(['inspect', target], { cwd: project });
    expect(status).toBe(4);
    expect(stderr).toContain(
      'src/failing.ts" ended because of a circular import: a file uses Author from a file that is loaded after it',
    );
    expect(stderr).toContain('[SIGIL_CLI_CIRCULAR]\nMove Author to a file that imports neither of them');
    expect(stderr).toMatch(/book\.ts:4:\d+/);
    const doctor = await sigil(['doctor'], { cwd: project });
    expect(doctor.stdout).toContain(
      'src/book.ts:4 needs the class Author of src/author.ts, which is loaded later: the two files import each other.',
    );
    rmSync(join(project, 'src', 'author.ts'));
    rmSync(join(project, 'src', 'book.ts'));
  });
});
