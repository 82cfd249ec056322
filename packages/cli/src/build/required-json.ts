/**
 * JSON files that an ES module requires: `createRequire(import.meta.url)('../package.json')`. The bundler leaves such a call alone,
 * so the bundle would look for the file next to itself; a plain `require` becomes part of the bundle.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { installedPackageOf } from './package-of';

const REQUIRED = /\bcreateRequire\(import\.meta\.url\)(?=\((['"])[^'"]+\.json\1\))/g;

/** Makes the JSON files that modules of the project require part of the bundle; packages are left as they are. */
export function requiredJson(): Plugin {
  return {
    name: 'required-json',
    setup(bundler) {
      bundler.onLoad({ filter: /\.m?js$/ }, ({ path }) => {
        if (installedPackageOf(path)) return undefined;
        const text = readFileSync(path, 'utf8');
        const contents = text.replaceAll(REQUIRED, 'require');
        return contents === text ? undefined : { contents, loader: 'js' };
      });
    },
  };
}
