/** Pages that scripts write into a folder of their own, which git ignores. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes changed pages and removes those that are not among them; all others stay, because another process may be reading them.
 * @param folder which is made if it is not there
 * @param pages file name -> text
 */
export function putPages(folder, pages) {
  mkdirSync(folder, { recursive: true });
  const there = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const wanted = new Map([...pages].map(([name, text]) => [join(folder, name), text]));
  for (const path of there.filter((each) => !wanted.has(each))) rmSync(path);
  for (const [path, text] of wanted) {
    if (there.includes(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
