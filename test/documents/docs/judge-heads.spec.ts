/** What `npm run docs:build` says of heads that lack something. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callScript } from '../../judges/scripts/call-script';

const url = 'https://example.com/sigil/';
let dist: string;
beforeEach(() => (dist = mkdtempSync(join(tmpdir(), 'sigil-heads-'))));
afterEach(() => rmSync(dist, { recursive: true, force: true }));

function judge(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  }
  return callScript('docs/judge-heads.mjs', 'judgeHeads', dist, url) as string[];
}

const head = (path: string, description: string, image = 'social/a.png'): string =>
  `<meta name="description" content="${description}"><link rel="canonical" href="${url}${path}">
   <meta property="og:title" content="A"><meta property="og:image" content="${url}${image}">`;

it('has nothing to say of pages that describe themselves, each in its own words', () => {
  expect(
    judge({
      'index.html': head('', 'One'),
      'a/index.html': head('a/', 'Two'),
      'b.html': head('b', 'Three'),
      'social/a.png': '',
    }),
  ).toEqual([]);
});

it('names a page without a description, and two pages with the same', () => {
  expect(
    judge({ 'a.html': head('a', ''), 'b.html': head('b', 'Same'), 'c.html': head('c', 'Same'), 'social/a.png': '' }),
  ).toEqual(['a.html has no description.', 'c.html has the same description as b.html: "Same".']);
});

it('names a page with the address of another, and one whose picture is not there', () => {
  expect(judge({ 'a.html': head('b', 'One'), 'b.html': head('b', 'Two', 'social/b.png'), 'social/a.png': '' })).toEqual(
    [
      `a.html has the canonical address ${url}b, not ${url}a.`,
      `b.html names the picture ${url}social/b.png, which does not exist.`,
    ],
  );
});
