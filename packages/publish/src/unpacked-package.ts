/** A package as its users get it: the files that `npm pack` would pack, in an empty folder, with its dependencies and nothing else. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import { ownFiles, runProgram } from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import type { PackageFacts } from './package-facts';

/** A package in an empty folder. */
export interface UnpackedPackage {
  /** The folder of the package. */
  readonly folder: string;
  /** The packed files, in order. */
  readonly files: readonly string[];
  readonly remove: () => void;
}

/**
 * Runs the script `prepack`, as `npm pack` does, and installs what it would pack.
 * @param folder of the project
 * @throws CliFailure if npm does not pack it
 */
export async function installPacked(
  folder: string,
  facts: PackageFacts,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<UnpackedPackage> {
  const files = await packedPaths({ cwd: folder, env, signal });
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-installed-')));
  const modules = join(top, 'node_modules');
  const target = join(modules, facts.name ?? 'package');
  const remove = (): void => rmSync(top, { recursive: true, force: true });
  try {
    for (const path of files) {
      ownFiles.copyNew(join(folder, path), join(target, path));
    }
    for (const name of dependenciesOf(facts)) {
      const found = ownFiles.findPackage(name, folder);
      if (found === undefined || existsSync(join(modules, name))) continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(found, join(modules, name), 'junction');
    }
    return { folder: target, files, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function packedPaths(where: {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}): Promise<string[]> {
  const { code, missing, said } = await runProgram('npm', ['pack', '--dry-run', '--json'], where);
  where.signal.throwIfAborted();
  const read = missing || code !== 0 ? undefined : readPacked(said);
  if (!read) throw failure('SIGIL_PUBLISH_PACK', { reason: missing ? 'npm is not installed' : said.trim() });
  return read;
}

/** npm 11 writes a list of packages, npm 12 an object; scripts may write before it. */
function readPacked(said: string): string[] | undefined {
  for (const { index } of said.matchAll(/^[[{]/gm)) {
    try {
      const [end = said.length] = [...said.slice(index).matchAll(/^[\]}]/gm)]
        .map((match) => index + match.index + 1)
        .slice(-1);
      const packed: unknown = Object.values(JSON.parse(said.slice(index, end)) as object)[0];
      const files = isObject(packed) ? packed['files'] : undefined;
      if (Array.isArray(files)) return files.map((file) => String(isObject(file) ? file['path'] : '')).sort();
    } catch {
      // The output of a script, which only begins like the list.
    }
  }
  return undefined;
}

/** What npm installs with the package: also the peers, and nothing for development. */
function dependenciesOf({ members }: PackageFacts): string[] {
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) => {
    const names = members[kind];
    return isObject(names) ? Object.keys(names) : [];
  });
}
