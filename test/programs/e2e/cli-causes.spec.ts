/** A program of the author that ends with an error: the command shows that error first, with its position in the sources. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { DevProject } from './dev-project';
import { sigil, spawnSigil } from './terminal';

jest.setTimeout(120_000);

let project: DevProject;
beforeEach(() => void (project = new DevProject()));
afterEach(() => project.remove());

const inspect = () => sigil(['inspect', 'src/server.ts'], { cwd: project.folder });

it('a definition error is the headline, with the member, its line and a caret', async () => {
  project.edit(
    1,
    `@Feature()\nclass Wrong {\n  @Tool('')\n  nothing(): void {}\n}\ncreateServer({ name: 'w', version: '1.0.0', features: [Wrong] });`,
  );
  const { status, stderr } = await inspect();
  expect(status).toBe(4);
  expect(stderr).toMatch(
    /^src\/server\.ts:\d+:3 Wrong\.nothing: its description is "", which says nothing\. \[SIGIL_BLANK_WORDS\]\n *\d+ \| {3}nothing\(\): void \{\}\n +\| {3}\^{7}\nWrite a text .*\n[^\n]*$/,
  );
});

it('an exception is the headline, with the innermost call in the code of the author', async () => {
  project.edit(1, `function open(): never {\n  throw new Error('There is no database');\n}\nopen();`);
  const { stderr } = await inspect();
  expect(stderr).toMatch(
    /^src\/server\.ts:\d+:9 Error: There is no database\n *\d+ \| {3}throw new Error.*\n +\| {9}\^\n {4}at .*src\/server\.ts:\d+:1\)\n/,
  );
  expect(stderr).not.toMatch(/node:internal|Node\.js v/);
});

it('the same is shown for a command that the author wrote, if it prints the error itself', async () => {
  project.edit(
    1,
    `@Feature()\nclass Wrong {\n  @Tool('')\n  nothing(): void {}\n}\ntry {\n  createServer({ name: 'w', version: '1.0.0', features: [Wrong] });\n} catch (error) {\n  console.error(error);\n  process.exit(1);\n}`,
  );
  const { stderr } = await inspect();
  expect(stderr).toMatch(/^src\/server\.ts:\d+:3 Wrong\.nothing: its description is ""/);
});

it('a circular import is the headline, in the words of sigil doctor', async () => {
  mkdirSync(join(project.folder, 'node_modules'));
  const write = (name: string, text: string): void => writeFileSync(join(project.folder, 'src', name), text);
  write(
    'note.ts',
    `import { IsString } from 'class-validator';\nimport { Notes } from './notes';\nexport class Note {\n  @IsString()\n  title!: string;\n}\nexport const feature = () => Notes;\n`,
  );
  write(
    'notes.ts',
    `import { Feature, Tool } from '@sigil-mcp/core';\nimport { Note } from './note';\n@Feature()\nexport class Notes {\n  @Tool('Takes a note')\n  take(note: Note): string {\n    return note.title;\n  }\n}\n`,
  );
  write(
    'server.ts',
    `import { createServer } from '@sigil-mcp/core';\nimport { feature } from './note';\nexport const server = createServer({ name: 'n', version: '1.0.0', features: [feature()] });\n`,
  );
  const { stderr } = await inspect();
  expect(stderr).toMatch(
    /^src\/notes\.ts:6 needs the class Note of src\/note\.ts, which is loaded later: the two files import each other\.\nMove Note, .*\n\nsrc\/notes\.ts:6:8 Notes\.take: parameter 1 has no class at run time\./,
  );
  const dev = await spawnSigil(['dev', '--http', '--port', String(await freePort()), 'src/server.ts'], {
    cwd: project.folder,
    onStderr: (text, pid) => void (text.includes('No version is running') && process.kill(pid, 'SIGTERM')),
  });
  expect(dev.stderr).toMatch(/does not start\n\nsrc\/notes\.ts:6 needs the class Note of src\/note\.ts/);
});

const IMPORTS = `import { createServer, Feature, Tool } from '@sigil-mcp/core';\nimport { IsInt } from 'class-validator';\n`;

function serverFile(text: string): void {
  writeFileSync(join(project.folder, 'src', 'server.ts'), IMPORTS + text);
}
const call = (name: string) => sigil(['call', 'src/server.ts', name], { cwd: project.folder });

it('an unexpected error of a call is shown from the log, with its position, though clients do not see it', async () => {
  serverFile(`@Feature()
class Tools {
  @Tool('Does it')
  doIt(): void {
    throw new Error('the disk is full');
  }
}
export const server = createServer({ name: 'w', version: '1.0.0', features: [Tools] });
`);
  const { status, stdout, stderr } = await call('doIt');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^Internal error \(id [-0-9a-f]+\)/);
  expect(stderr).toBe(
    "src/server.ts:7:11 Error: the disk is full\n    7 |     throw new Error('the disk is full');\n      |           ^\n",
  );
});

it('a result that cannot be sent is shown at its tool', async () => {
  serverFile(`class Count {
  @IsInt() n!: number;
}
@Feature()
class Tools {
  @Tool('Does it', { output: Count })
  wrong(): any { return { n: 'five' }; }
  @Tool('Does it')
  big(): any { return { n: 5n }; }
  @Tool('Does it')
  late(): any { return { n: Promise.resolve(5) }; }
  @Tool('Does it')
  loop(): any { const o: Record<string, unknown> = {}; o['o'] = o; return o; }
}
export const server = createServer({ name: 'w', version: '1.0.0', features: [Tools] });
`);
  for (const [name, line, says] of [
    ['wrong', 9, 'n: must be an integer'],
    ['big', 11, 'result.n is a BigInt'],
    ['late', 13, 'result.n is a promise'],
    ['loop', 15, 'result.o is an object that contains it: a circular reference'],
  ] as const) {
    const { status, stderr } = await call(name);
    expect(status).toBe(1);
    expect(stderr.split(' returned a value that ')[0]).toBe(`src/server.ts:${line}:3 InvalidOutput: Tools.${name}`);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('/packages/core/');
  }
});

it('the error of a provider is shown, with the line that threw it, for a file that only exports its server', async () => {
  serverFile(`function size(): number {
  throw new Error('no database');
}
class Store {
  size = size();
}
@Feature()
class Tools {
  constructor(readonly store: Store) {}
  @Tool('Does it')
  doIt(): void {}
}
export const server = createServer({ name: 'w', version: '1.0.0', features: [Tools] });
`);
  const { status, stderr } = await inspect();
  expect(status).toBe(4);
  expect(stderr).toMatch(
    /^src\/server\.ts:4:9 SigilError: Store could not be created, which Tools needs: no database\. .*\n *4 \|.*\n.*\^\nCaused by Error: no database\n {4}at .*src\/server\.ts:7:10\)/,
  );
});

it('text on stdout is shown with the line that wrote it', async () => {
  const main = join(project.folder, 'src', 'main.ts');
  writeFileSync(main, readFileSync(main, 'utf8').replace(/^import '@sigil-mcp\/core\/stdio\/guard';\n/, ''));
  writeFileSync(
    join(project.folder, 'src', 'server.ts'),
    `console.log('starting');\n${readFileSync(join(project.folder, 'src', 'server.ts'), 'utf8')}`,
  );
  const { status, stdout, stderr } = await sigil(['call', 'src/main.ts', 'version'], { cwd: project.folder });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'version 0\n' });
  expect(stderr).toMatch(
    /^src\/server\.ts:1:9 The server printed "starting" on stdout, which belongs to the protocol\.\n {4}1 \| console\.log\('starting'\);\n.*\^\nUse console\.error/,
  );
});

it('a transport that cannot be opened is shown at the call of listen', async () => {
  const main = join(project.folder, 'src', 'main.ts');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  writeFileSync(
    main,
    readFileSync(main, 'utf8').replace(
      /^void server.listen.*$/m,
      `void server.listen(new HttpTransport({ port: ${port} }));`,
    ),
  );
  const { status, stderr } = await sigil(['inspect', 'src/main.ts'], { cwd: project.folder });
  taken.close();
  expect(status).toBe(4);
  expect(stderr).toMatch(
    new RegExp(
      `^src/main\\.ts:\\d+:13 SigilError: Port ${port} of 127\\.0\\.0\\.1 is already in use\\. Use another one`,
    ),
  );
});

it('a server without features is shown with the place of its definition', async () => {
  serverFile(`export const server = createServer({ name: 'w', version: '1.0.0', features: [] });\n`);
  const { status, stdout } = await inspect();
  expect(status).toBe(0);
  expect(stdout).toContain('! src/server.ts:3:23 It lists no tools, resources or prompts');
});
