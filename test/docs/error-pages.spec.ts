/** The pages of single errors: what causes each, and how to fix it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callScript } from '../scripts/call-script';

interface Words {
  readonly what: string;
  readonly fix: string;
}
/** What the pages are written from is no part of what the package exports. */
const { CATALOGUE, CATALOGUE_GROUPS } = jest.requireActual<{
  readonly CATALOGUE: { readonly [code: string]: Words; readonly SIGIL_WEAK_SECRETS: Words };
  readonly CATALOGUE_GROUPS: readonly { readonly errors: Readonly<Record<string, Words>> }[];
}>(join(__dirname, '..', '..', 'packages', 'core', 'src', 'errors', 'catalogue'));

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sigil-errors-'));
  mkdirSync(join(root, 'docs', 'e'), { recursive: true });
  symlinkSync(join(__dirname, '..', '..', 'packages'), join(root, 'packages'));
  writeFileSync(join(root, 'docs', 'e', 'SIGIL_GONE.md'), 'of a code that is gone');
  callScript('docs/error-pages.mjs', 'writeErrorPages', root, CATALOGUE_GROUPS);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const page = (code: string): string => readFileSync(join(root, 'docs', 'e', `${code}.md`), 'utf8');

it('are there for each code of the catalogue, and for no other', () => {
  const codes = CATALOGUE_GROUPS.flatMap(({ errors }) => Object.keys(errors));
  expect(readdirSync(join(root, 'docs', 'e')).sort()).toEqual(codes.map((code) => `${code}.md`).sort());
});

it('say what is wrong and how to fix it, as the catalogue does', () => {
  const { what, fix } = CATALOGUE.SIGIL_WEAK_SECRETS;
  const text = page('SIGIL_WEAK_SECRETS').replaceAll('\\', '');
  expect(text.replaceAll(/\*(\w+)\*/g, '{$1}').toLowerCase()).toContain(what.toLowerCase());
  expect(text.split('## How to fix it')[1]).toContain(fix);
});

it('show code that causes the error, and the message, where the table of mistakes has them', () => {
  const text = page('SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR');
  expect(text).toContain('```ts\nclass Book {\n  title!: string;\n}\n```');
  expect(text).toMatch(/```text\nLibrary\.add: .*Book\.title .*\[SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR\]\n```/);
});
