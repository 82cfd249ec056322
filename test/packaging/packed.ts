/** Every package as it would be published. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runWell } from './run-command';

const root = join(__dirname, '..', '..');

/** The packages, by their folder. */
export const PACKAGES = readdirSync(join(root, 'packages'));

/** A program of the repository's own tools. */
export const tool = (name: string): string => join(root, 'node_modules', '.bin', name);

/** The built program that `npm create @sigil-mcp` runs. */
export const CREATE = join(root, 'packages', 'create', 'dist', 'main.js');

/** The built program `sigil`. */
export const SIGIL = join(root, 'packages', 'cli', 'dist', 'main.js');

/** Packs every package into a folder. @returns the path of each tarball by the package's folder */
export async function packAll(into: string): Promise<Readonly<Record<string, string>>> {
  const packed = await Promise.all(
    PACKAGES.map(async (name): Promise<[string, string]> => {
      const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', into];
      const said = await runWell('npm', args, join(root, 'packages', name));
      const file = /"filename":\s*"([^"]+)"/.exec(said)?.[1] ?? '';
      return [name, join(into, file)];
    }),
  );
  return Object.fromEntries(packed);
}
