/** The command line, as it was built. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** @returns the path of the program */
export function sigilCommand() {
  const manifest = createRequire(import.meta.url).resolve('@sigil-mcp/cli/package.json');
  return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.sigil);
}
