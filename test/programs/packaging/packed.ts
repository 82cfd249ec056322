/** Every package as it would be published. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
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

/** Where sets of tarballs are kept, each under the digest of what went into it. */
const kept = join(root, '.sigil', 'packed');
const MOST_SETS = 5;

/** Packs every package, once for all specs that want them: what is built anew is packed anew. */
export async function packAll(): Promise<Packed> {
  const folder = join(kept, digestOfPackages());
  if (!existsSync(folder)) {
    mkdirSync(kept, { recursive: true });
    removeOld();
    const fresh = mkdtempSync(join(kept, 'new-'));
    await Promise.all(PACKAGES.map((name) => pack(name, fresh)));
    moveTo(folder, fresh);
  }
  const files = readdirSync(folder);
  const tarballOf = (name: string): string => files.find((file) => file.startsWith(`sigil-mcp-${name}-`)) ?? '';
  return { folder, tarballs: Object.fromEntries(PACKAGES.map((name) => [name, join(folder, tarballOf(name))])) };
}

async function pack(name: string, into: string): Promise<void> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', into];
  await runWell('npm', args, join(root, 'packages', name));
}

/** All or nothing: another worker that packed at the same time may have been quicker. */
function moveTo(folder: string, fresh: string): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Of the names, sizes and times of all files that may be packed. */
function digestOfPackages(): string {
  const digest = createHash('sha256');
  for (const name of PACKAGES) {
    for (const file of readdirSync(join(root, 'packages', name), { recursive: true })
      .map(String)
      .sort()) {
      if (!/^(dist|jest[/\\]|templates|package\.json|LICENSE|[^/\\]+\.(js|md))/.test(file)) continue;
      const { size, mtimeMs } = statSync(join(root, 'packages', name, file));
      digest.update(`${name} ${file} ${size} ${mtimeMs}\n`);
    }
  }
  return digest.digest('hex').slice(0, 16);
}

/** All but the last sets: a program that runs may still read one of those. */
function removeOld(): void {
  const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sets = readdirSync(kept).map((name) => join(kept, name));
  for (const path of sets.sort((one, other) => timeOf(other) - timeOf(one)).slice(MOST_SETS))
    rmSync(path, { recursive: true, force: true });
}
