/** What `npm run docs:build` refuses, and says. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callScript } from '../../judges/scripts/call-script';

let dist: string;
beforeEach(() => (dist = mkdtempSync(join(tmpdir(), 'sigil-site-'))));
afterEach(() => rmSync(dist, { recursive: true, force: true }));

interface Verdict {
  readonly pages: { path: string; bytes: number }[];
  readonly problems: string[];
}

function judge(files: Record<string, string>, base = '/'): Verdict {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  }
  return callScript('docs/judge-site.mjs', 'judgeSite', dist, base) as Verdict;
}
const front = '<a class="x" href="/guide.html#here">guide</a>';

it('finds nothing where every link and anchor is there, under any path', () => {
  const guide =
    '<h2 id="here">Here</h2><a href="/sigil/">front</a><a href="#here">#</a><a href="https://example.com/x">out</a>';
  const { pages, problems } = judge(
    { 'index.html': front.replace('/guide', '/sigil/guide'), 'guide.html': guide },
    '/sigil/',
  );
  expect([pages.map(({ path }) => path).sort(), problems]).toEqual([['guide.html', 'index.html'], []]);
});

it('names a link to a page that is not there, and one to an anchor', () => {
  const { problems } = judge({
    'index.html': front,
    'guide.html': '<a href="./gone.html">gone</a><a href="/nowhere/">x</a>',
  });
  expect(problems.sort()).toEqual([
    'guide.html links to ./gone.html, which does not exist.',
    'guide.html links to /nowhere/, which does not exist.',
    'index.html links to /guide.html#here, which has no such anchor.',
  ]);
});

it('names a page that no link from the front page leads to, over any number of others', () => {
  const { problems } = judge({
    'index.html': '<a href="/one.html">1</a>',
    'one.html': '<a href="/two.html">2</a>',
    'two.html': '',
    'lost.html': '<a href="/one.html">1</a>',
  });
  expect(problems).toEqual(['No link leads to lost.html.']);
});

it('names a page with more than 200 KB, and one that has them with its scripts over the wire', () => {
  const { problems } = judge({
    'index.html': '<a href="/long.html">1</a><script src="/loud.js"></script>',
    'long.html': 'a'.repeat(200_001),
    // What nobody can compress.
    'loud.js': randomBytes(200_000).toString('base64'),
  });
  expect(problems).toEqual([
    expect.stringMatching(/^index\.html has \d{6} bytes, more than 200000\.$/),
    'long.html has 200001 bytes, more than 200000.',
  ]);
});
