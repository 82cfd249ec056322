/** The pages of single errors: what causes each, and how to fix it. */
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

/** File name -> text. */
function written(
  name: 'errorPages' | 'errorReference' | 'errorRedirects',
  ...more: unknown[]
): ReadonlyMap<string, string> {
  return new Map(callScript('docs/error-pages.mjs', name, repository, groups, ...more) as readonly [string, string][]);
}
const [pages, reference, redirects] = [
  written('errorPages'),
  written('errorReference'),
  written('errorRedirects', '/sigil/'),
];
const codes = groups.flatMap(({ errors }) => Object.keys(errors));
const page = (code: string): string => pages.get(`${code}.md`) ?? '';

it('are there for each code of the catalogue, and for no other', () => {
  expect([...pages.keys()].sort()).toEqual(codes.map((code) => `${code}.md`).sort());
});

it('have short addresses, which lead to the place of the error among those of its kind', () => {
  expect([...redirects.keys()].sort()).toEqual(codes.flatMap((code) => [`${code}.html`, `${code}.md`]).sort());
  for (const code of codes) {
    const [, file = '', anchor = ''] =
      /url=\/sigil\/errors\/([\w-]+)#(\w+)"/.exec(redirects.get(`${code}.html`) ?? '') ?? [];
    expect([code, anchor]).toEqual([code, code.toLowerCase()]);
    expect(reference.get(`${file}.md`)).toContain(`\n## ${code}\n`);
  }
});

it('are listed by their kinds', () => {
  const list = reference.get('index.md') ?? '';
  for (const name of reference.keys()) if (name !== 'index.md') expect(list).toContain(`](${name})`);
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
