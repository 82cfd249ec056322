/** The package that a file belongs to. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '@sigil-mcp/base';

/** A package: of node_modules, or the nearest folder whose package.json has a name. */
export interface FoundPackage {
  readonly name: string;
  readonly folder: string;
}

/** The folder of an installed package. The cache of compiled programs is in node_modules too, but is not a package. */
const INSTALLED = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^.\\/][^\\/]*)/;

/** Finds the package in node_modules that a file belongs to, if any. */
export function installedPackageOf(file: string): FoundPackage | undefined {
  const [folder, name] = INSTALLED.exec(file) ?? [];
  return folder !== undefined && name !== undefined ? { name: name.replaceAll('\\', '/'), folder } : undefined;
}

/** Finds the package around a file, if any. */
export function packageOf(file: string): FoundPackage | undefined {
  const installed = installedPackageOf(file);
  if (installed) return installed;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const name = nameIn(join(folder, 'package.json'));
    if (name !== undefined) return { name, folder };
    if (folder === dirname(folder)) return undefined;
  }
}

function nameIn(manifest: string): string | undefined {
  if (!existsSync(manifest)) return undefined;
  const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  return isObject(content) && typeof content['name'] === 'string' ? content['name'] : undefined;
}
