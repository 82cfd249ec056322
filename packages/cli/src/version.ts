/** The version of this package, which all of Sigil's packages share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As `package.json` has it. */
export function versionOfCli(): string {
  // Written by ourselves, beside the built files.
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}
