/** `sigil doctor --dtos`: every class of a project that a server would refuse or guess, with counts. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sigil } from './terminal';

jest.setTimeout(150_000);

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const modules = join(__dirname, '..', '..', '..', 'node_modules');

/** A project with the packages of this repository. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-dtos-')));
  made.push(folder);
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['typescript', 'reflect-metadata', 'class-validator', 'class-transformer', '@sigil-mcp'])
    symlinkSync(realpathSync(join(modules, name)), join(folder, 'node_modules', name), 'dir');
  const compilerOptions = { baseUrl: './', paths: { '@common/*': ['src/common/*'] }, strict: true };
  const all = { 'package.json': '{"name":"x"}', 'tsconfig.json': JSON.stringify({ compilerOptions }), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const validator = "import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';\n";
const cats = {
  'src/common/page.dto.ts': `${validator}export class Page { @IsInt() page: number = 1; }\nconsole.log('loaded');\n`,
  'src/cats/cat.dto.ts': `${validator}import { Page } from '@common/page.dto';
export class Cat extends Page { @IsString() name!: string; @IsOptional() next?: Page; }
export class Wrong { @IsString() age!: number; @IsArray() tags!: string[]; }
export const other = 5;
export class NoDto {}
`,
  'src/cats/ends.dto.ts': 'process.exit(3);\nexport class Never {}\n',
  'src/cats/main.dto.ts': "process.exit(4);\nexport const none = 'a program';\n",
  'src/cats/cat.service.ts': `${validator}export class NotAsked { @IsString() at!: Date; }\n`,
};

it('lists what would be refused and guessed, with counts, and what could not be read', async () => {
  const folder = project(cats);
  const { status, stdout } = await sigil(['doctor', folder, '--dtos', 'src/**/*.dto.ts']);
  expect(stdout).toContain('Refused\n    Wrong (src/cats/cat.dto.ts)\n        Wrong.age is declared as Number');
  expect(stdout).toContain('Guessed\n    Cat (src/cats/cat.dto.ts)\n        Cat.next holds Page without');
  expect(stdout).toContain('Not read\n    src/cats/ends.dto.ts: The file ends the process with status 3.\n');
  expect(stdout).toContain('    1 × SIGIL_DTO_WRONG_TYPE\n');
  expect(stdout).toMatch(
    /2 of 3 classes start \(66\.7 %\), 1 are refused, 1 start with a guess, 1 files were not read\.\n$/,
  );
  expect(stdout).not.toContain('loaded');
  expect(stdout).not.toContain('NotAsked');
  expect(status).toBe(1);
  expect(readdirSync(join(folder, 'node_modules', '.cache', 'sigil'))).toEqual([]);
});

it('is well where all start, and speaks JSON to programs', async () => {
  const folder = project(cats);
  const { status, stdout } = await sigil(['doctor', folder, '--dtos', 'src/common', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    classes: [{ file: 'src/common/page.dto.ts', name: 'Page', refused: [], guessed: [] }],
    unread: [],
  });
});

it('says where there are no such files', async () => {
  const { status, stderr } = await sigil(['doctor', project(cats), '--dtos', 'lib/*.ts']);
  expect(status).toBe(2);
  expect(stderr).toContain('No TypeScript file matches lib/*.ts in');
});
