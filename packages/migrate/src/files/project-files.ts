/** The source files of a project that is moved. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that hold no sources. */
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage', 'out']);

/** A file, as it is on disk. */
export interface FoundSource {
  readonly path: string;
  readonly text: string;
}

/** The TypeScript files below a folder; neither declarations nor folders with a dot. */
export function projectFiles(folder: string): FoundSource[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : projectFiles(path);
    if (!entry.isFile() || !/\.[cm]?tsx?$/.test(entry.name) || /\.d\.[cm]?ts$/.test(entry.name)) return [];
    return [{ path, text: readFileSync(path, 'utf8') }];
  });
}
