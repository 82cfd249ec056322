/** Which packages are there to be imported: they are bundled. The others are programs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a package says of itself. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Whether the folder is that of a package without a program. */
export function isLibrary(folder) {
  if (!existsSync(join(folder, 'package.json'))) return false;
  const { exports, bin } = readManifest(folder);
  return exports !== undefined && bin === undefined;
}
