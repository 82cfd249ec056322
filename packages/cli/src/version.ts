/** The version of this package, which all of Sigil's packages share, its program and its templates. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in `package.json`. */
export function versionOfCli(): string {
  // Our own file, next to the built files.
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The file of the program `sigil`, for Node to run. */
export function programOfCli(): string {
  return join(__dirname, '..', 'dist', 'main.js');
}

/** The folder of the templates, next to `src` and `dist`. */
export function templatesOfCli(): string {
  return join(__dirname, '..', 'templates');
}
