/** The packages that are imported as libraries, and therefore bundled. The others are programs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The manifest of a package. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Whether a folder contains a package without a program. */
export function isLibrary(folder) {
  if (!existsSync(join(folder, 'package.json'))) return false;
  const { exports, bin } = readManifest(folder);
  return exports !== undefined && bin === undefined;
}
