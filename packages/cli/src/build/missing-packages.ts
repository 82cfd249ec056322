/** Optional dependencies of packages that are not installed: they stay outside of the bundle. */
import type { Plugin } from 'esbuild';
import type { LeftOutside } from './native-packages';
import { packageOf } from './package-of';

/** Marks the plugin's own question to the bundler, so that the plugin does not handle it. */
const OWN = Symbol('asked by the plugin');

/**
 * Lets packages omit imports that are not installed; the program itself must not.
 * @param program the folder of the program's own files
 * @param left receives the names of the packages outside
 */
export function missingPackages(program: string | undefined, left: LeftOutside): Plugin {
  return {
    name: 'missing-packages',
    setup(bundler) {
      bundler.onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === OWN || importer === '' || packageOf(importer)?.folder === program) return undefined;
        const found = await bundler.resolve(path, { importer, kind, resolveDir, pluginData: OWN });
        if (found.errors.length === 0) return found;
        left.set(path, undefined);
        return { path, external: true };
      });
    },
  };
}
