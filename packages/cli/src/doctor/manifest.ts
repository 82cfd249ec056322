/** The package.json of a project or of an installed package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a package.json that are read here. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** @returns the package.json of a folder */
export function readManifest(folder: string): Manifest {
  // Every field is optional, so a missing one does no harm.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
