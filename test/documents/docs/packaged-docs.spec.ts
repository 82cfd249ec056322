/** The documentation that the command line brings with it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..', '..');

interface Packaged {
  readonly site: string;
  readonly pages: readonly { readonly path: string; readonly text: string }[];
  readonly sections: readonly { readonly page: string; readonly title: string; readonly anchor?: string }[];
}

let copy: string;
/** As a fork builds it, whose workflow sets the address of its own repository and site. */
let packaged: Packaged;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'sigil-packaged-'));
  mkdirSync(join(copy, 'packages', 'cli', 'dist'), { recursive: true });
  const packages = [
    'schema',
    'client',
    'core',
    'fastify',
    'http',
    'nest',
    'audit',
    'contract',
    'oauth',
    'redis',
    'apps',
    'skills',
    'tasks',
    'results',
    'toolsets',
    'testing',
    'migrate',
    'openapi',
    'publish',
    'install',
    'inspector',
    'cli/package.json',
    'cli/src',
    'cli/dist/errors',
  ];
  // Pages that the build writes are written into the copy.
  cpSync(join(root, 'docs'), join(copy, 'docs'), { recursive: true, filter: (path) => !path.includes('.vitepress') });
  for (const path of ['scripts', 'node_modules', ...packages.map((name) => `packages/${name}`)])
    symlinkSync(join(root, path), join(copy, path));
  const script = pathToFileURL(join(root, 'scripts', 'docs', 'packaged-docs.mjs')).href;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['-e', `import('${script}').then(({ writePackagedDocs }) => writePackagedDocs(${JSON.stringify(copy)}))`],
    {
      encoding: 'utf8',
      env: { ...process.env, GITHUB_REPOSITORY: 'someone/fork', DOCS_URL: 'https://docs.example.com' },
    },
  );
  if (status !== 0) throw new Error(stderr);
  packaged = JSON.parse(readFileSync(join(copy, 'packages', 'cli', 'dist', 'docs.json'), 'utf8')) as Packaged;
}, 60_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it('leads to the published site and repository, also in the build of a fork', () => {
  const { homepage } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8')) as {
    homepage: string;
  };
  expect(packaged.site).toBe(homepage);
  const foreign = packaged.pages.filter(({ text }) => /someone\/fork|docs\.example\.com\/e\//.test(text));
  expect(foreign.map(({ path }) => path)).toEqual([]);
  const tutorial = packaged.pages.find(({ path }) => path === 'tutorial');
  expect(tutorial?.text).toContain(`](${homepage}`);
});

it('names the anchors of its sections as the site does', () => {
  const anchors = packaged.sections.filter(({ page }) => page === 'installation').map(({ anchor }) => anchor);
  const headings = readFileSync(join(root, 'docs', 'installation.md'), 'utf8').match(/^## .*$/gm) ?? [];
  expect(anchors[0]).toBeUndefined();
  expect(anchors).toHaveLength(headings.length + 1);
  for (const anchor of anchors.slice(1)) expect(anchor).toMatch(/^[\p{Ll}\p{N}_-]+$/u);
});

it('does not take a line of code for a heading', () => {
  for (const { page, title } of packaged.sections) {
    const text = packaged.pages.find(({ path }) => path === page)?.text ?? '';
    const [, heading] = / > (.*)$/.exec(title) ?? [];
    const prose = text.replace(/^(`{3,})[^]*?^\1$/gm, '').replaceAll('`', '');
    if (heading !== undefined) expect([page, prose.includes(`\n## ${heading}\n`)]).toEqual([page, true]);
  }
});
