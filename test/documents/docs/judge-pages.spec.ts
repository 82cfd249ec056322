/** What `npm run docs:build` says of pages that lack something. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callScript } from '../../judges/scripts/call-script';

let docs: string;
beforeEach(() => (docs = mkdtempSync(join(tmpdir(), 'sigil-pages-'))));
afterEach(() => rmSync(docs, { recursive: true, force: true }));

function judge(page: string, ...lines: string[]): string[] {
  writeFileSync(join(docs, `${page}.md`), lines.join('\n'));
  return callScript('docs/judge-pages.mjs', 'judgePages', docs, [page]) as string[];
}
const head = ['---', 'keywords: [one, two, three]', '---', '', '# A page', ''];

it('has nothing to say of a page with search words, named blocks and described pictures', () => {
  const block = ['`src/a.ts`', '', '```ts', 'a;', '```', '', '```sh', 'npm test', '```'];
  expect(judge('tutorial', ...head, ...block, '![A picture](a.svg)')).toEqual([]);
});

it('names a page without the words that people search it by', () => {
  expect(judge('dtos', '# A page')).toEqual([
    'docs/dtos.md has 0 keywords in its front matter: name at least 3 words that people search it by.',
  ]);
});

it('names a block of a tutorial without its file, and none of other pages', () => {
  const block = ['```ts', 'const a = 1;', '```'];
  expect(judge('tutorial', ...head, ...block)).toEqual([
    'docs/tutorial.md has a block without the name of its file: const a = 1;',
  ]);
  expect(judge('dtos', ...head, ...block)).toEqual([]);
});

it('names a picture without a text', () => {
  expect(judge('dtos', ...head, '![](a.svg)')).toEqual(['docs/dtos.md shows a.svg without an alternative text.']);
});
