/** Folders of their own for tests. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes folders, and takes them away. */
export class TemporaryFolders {
  readonly #made: string[] = [];

  /** @param files by their path */
  make(files: Readonly<Record<string, string>> = {}): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-cli-')));
    this.#made.push(folder);
    write(folder, files);
    return folder;
  }

  /** For `afterEach`. */
  removeAll(): void {
    for (const folder of this.#made.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes files below a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Gives a project the compiler of this one. */
export function linkCompiler(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
}

/** Every file below a folder, with slashes. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(join(folder, entry.name)).map((name) => `${entry.name}/${name}`) : [entry.name],
    )
    .sort();
}
