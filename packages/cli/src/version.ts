/** The version of this package, which all of Sigil's packages share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in `package.json`. */
export function versionOfCli(): string {
  // Our own file, next to the built files.
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}
