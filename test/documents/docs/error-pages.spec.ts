/** The pages of single errors: what causes each, and how to fix it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callScript } from '../../judges/scripts/call-script';

interface Words {
  readonly problem: string;
  readonly fix: string;
}
/** What the pages are written from is no part of what the packages export. */
const repository = join(__dirname, '..', '..', '..');
const { errorGroups } = jest.requireActual<{
  errorGroups(
    root: string,
    folder: string,
    load: (path: string) => unknown,
  ): readonly { readonly errors: Readonly<Record<string, Words>> }[];
}>(join(repository, 'scripts', 'error-groups.cjs'));
const groups = errorGroups(repository, 'src', (path) => jest.requireActual(path));
const entries = Object.assign({}, ...groups.map(({ errors }) => errors)) as Readonly<Record<string, Words>>;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sigil-errors-'));
  mkdirSync(join(root, 'docs', 'e'), { recursive: true });
  symlinkSync(join(__dirname, '..', '..', '..', 'packages'), join(root, 'packages'));
  writeFileSync(join(root, 'docs', 'e', 'SIGIL_GONE.md'), 'of a code that is gone');
  callScript('docs/error-pages.mjs', 'writeErrorPages', root, groups);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const page = (code: string): string => readFileSync(join(root, 'docs', 'e', `${code}.md`), 'utf8');

it('are there for each code of the catalogue, and for no other', () => {
  const codes = groups.flatMap(({ errors }) => Object.keys(errors));
  expect(readdirSync(join(root, 'docs', 'e')).sort()).toEqual(codes.map((code) => `${code}.md`).sort());
});

it('say what is wrong and how to fix it, as the catalogue does', () => {
  const { problem, fix } = entries['SIGIL_WEAK_SECRETS']!;
  const text = page('SIGIL_WEAK_SECRETS').replaceAll('\\', '');
  expect(text.replaceAll(/\*(\w+)\*/g, '{$1}').toLowerCase()).toContain(problem.toLowerCase());
  expect(text.split('## How to fix it')[1]).toContain(fix);
});

it('show code that causes the error, and the message, where the table of mistakes has them', () => {
  const text = page('SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR');
  expect(text).toContain('```ts\nclass Book {\n  title!: string;\n}\n```');
  expect(text).toMatch(
    /The error message:\n\n```text\nLibrary\.add: .*Book\.title .*\[SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR\]\n```/,
  );
});

it('show the code without the mistake below it', () => {
  expect(page('SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR')).toContain(
    'Fixed:\n\n```ts\nclass Book {\n  @IsString() title!: string;\n}\n```',
  );
  expect(page('SIGIL_PARAMETER_TYPE_ERASED')).toContain("Fixed:\n\n```ts\nimport { Query } from './query';");
});

it('show the classes that the code uses, and no name or cast of the test', () => {
  expect(page('SIGIL_TWO_INPUTS')).toContain('```ts\nclass Query {\n  @IsString() title!: string;\n}\n\nclass Page {');
  expect(page('SIGIL_FEATURES')).toContain(
    "createServer({ name: 'library', version: '1.0.0', features: Library });\n```",
  );
  for (const { errors } of groups)
    for (const code of Object.keys(errors))
      expect([code, /\b(serverOf|taking|running|given)\(|as never/.exec(page(code))]).toEqual([code, null]);
});

it('show a fix for the mistakes that are made most', () => {
  const shown = groups.flatMap(({ errors }) => Object.keys(errors)).filter((code) => page(code).includes('\nFixed:\n'));
  expect(shown.length).toBeGreaterThanOrEqual(65);
});
