/** The modules of the project, as opposed to those of packages: their texts may change on the way into the bundle. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { installedPackageOf } from './package-of';

/** Changes the text of a module. @param path of the module */
export type Rewrite = (text: string, path: string) => string;

/** Rewrites the modules of the project; packages are left as they are. */
export function ownModules(...rewrites: readonly Rewrite[]): Plugin {
  return {
    name: 'own-modules',
    setup(bundler) {
      bundler.onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
        if (installedPackageOf(path)) return undefined;
        const text = readFileSync(path, 'utf8');
        const contents = rewrites.reduce((rest, rewrite) => rewrite(rest, path), text);
        return contents === text ? undefined : { contents, loader: 'js' };
      });
    },
  };
}
