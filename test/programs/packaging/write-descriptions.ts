/** What an author does after `sigil add`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes every description that `sigil add` left to the author. */
export function writeDescriptions(project: string): void {
  const source = join(project, 'src');
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('TODO: say', 'Here it says'));
  }
}
