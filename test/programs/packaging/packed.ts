/** Every package as it would be published. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runWell } from './run-command';

const root = join(__dirname, '..', '..', '..');

/** The packages, by their folder. */
export const PACKAGES = readdirSync(join(root, 'packages'));

/** The built program that `npm create @sigil-mcp` runs. */
export const CREATE = join(root, 'packages', 'create', 'dist', 'main.js');

/** The built program `sigil`. */
export const SIGIL = join(root, 'packages', 'cli', 'dist', 'main.js');

/** What all packages are packed into. */
export interface Packed {
  readonly folder: string;
  /** The path of each tarball by the package's folder. */
  readonly tarballs: Readonly<Record<string, string>>;
}

/** Packs every package, once for all specs that want them: what is built anew is packed anew. */
export async function packAll(): Promise<Packed> {
  const folder = await keptSet('packed');
  const files = readdirSync(folder);
  const tarballOf = (name: string): string => files.find((file) => file.startsWith(`sigil-mcp-${name}-`)) ?? '';
  return { folder, tarballs: Object.fromEntries(PACKAGES.map((name) => [name, join(folder, tarballOf(name))])) };
}

/** The folder of what specs make once for all of them. */
export function keptSet(kind: 'packed' | 'installed'): Promise<string> {
  return runWell(process.execPath, [join(__dirname, 'keep-set.mjs'), kind], root);
}
