/** The pages, and the regions of code that they show. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/** The README, those of the packages, and all pages under `docs` that are not generated, as paths from the root. */
export function guides() {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((page) => !/\/(node_modules|\.vitepress|api|e)\//.test(page));
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', ...packages, ...pages.sort()];
}

/**
 * The lines between `// #region name` and `// #endregion name` of `<file>#<name>`, or with `#` for `//`, or in comments of HTML, without
 * their common indentation.
 */
export function regionOf(source) {
  const [file, name] = source.split('#');
  const text = readFileSync(join(root, file), 'utf8');
  const mark = (word) => `(?://|#|<!--) #${word} ${name}(?: -->)?\\n`;
  const found = new RegExp(`${mark('region')}([\\s\\S]*?)\\n *${mark('endregion')}`).exec(text);
  if (!found) throw new Error(`${source}: this region does not exist`);
  const lines = found[1].split('\n').filter((line) => !/^ *(\/\/|#|<!--) #(end)?region /.test(line));
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join('\n');
}
