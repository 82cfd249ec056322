/** Pages lead to files of the repository: each is there. The build of the site refuses the others, too, and takes minutes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');

/** The Markdown files that people read, relative to the repository. */
function pages(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const guides = docs
    .filter((name) => name.endsWith('.md') && !/(^|[\\/])(node_modules|\.vitepress|public)[\\/]/.test(name))
    .map((name) => join('docs', name));
  const atTop = readdirSync(root).filter((name) => name.endsWith('.md'));
  const tests = ['test/README.md', 'bench/README.md'].filter((name) => existsSync(join(root, name)));
  return [...atTop, ...guides, ...tests];
}

/** Links of a page to files that are not there. */
function brokenIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const targets = [...text.matchAll(/\]\((\.{1,2}\/[^)#\s]+|(?!https?:)[\w.-]+\/[^)#\s:]+)(?:#[^)]*)?\)/g)].map(
    ([, to = '']) => to,
  );
  return targets.filter((to) => !existsSync(join(root, dirname(page), to))).map((to) => `${page}: ${to}`);
}

it('is there, whatever file a page links to', () => {
  const all = pages();
  expect(all.length).toBeGreaterThan(50);
  expect(all.flatMap(brokenIn)).toEqual([]);
});
