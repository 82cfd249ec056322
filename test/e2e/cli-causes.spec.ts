/** A program of the author that ends with an error: the command shows that error first, with its position in the sources. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { DevProject } from './dev-project';
import { sigil } from './terminal';

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
    /^src\/server\.ts:\d+:3 Wrong\.nothing: its description is "", which says nothing\. \[SIGIL_BLANK_WORDS\]\n *\d+ \| {3}nothing\(\): void \{\}\n +\| {3}\^{7}\nWrite a text .*\n\nThe error above ended "src\/server\.ts" \(status 1\)\. \[SIGIL_CLI_CRASHED\]\nFix it, and run the command again\.\n/,
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
  const dev = await sigil(['dev', '--http', '--port', String(await freePort()), 'src/server.ts'], {
    cwd: project.folder,
    onStderr: (text, pid) => void (text.includes('No version is running') && process.kill(pid, 'SIGTERM')),
  });
  expect(dev.stderr).toMatch(/does not start\n\nsrc\/notes\.ts:6 needs the class Note of src\/note\.ts/);
});
