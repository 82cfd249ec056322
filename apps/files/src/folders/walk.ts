/** The files of a folder by name, followed by the files of its subfolders. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HIDDEN } from './inside';

/** @returns paths relative to the folder, with slashes; links are left out */
export async function* walk(root: string): AsyncGenerator<string> {
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    // A folder that has been removed or that cannot be read has no files.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    const shown = entries.filter(({ name }) => !HIDDEN.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of shown) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) yield path;
    }
  }
}
