/** Packages that others ask for and that are not installed: they are optional there, and stay outside. */
import type { Plugin } from 'esbuild';
import type { LeftOutside } from './native-packages';
import { packageOf } from './package-of';

/** Goes along where the plugin asks the bundler itself, so that it is not asked in turn. */
const OWN = Symbol('asked by the plugin');

/**
 * Lets packages go without what is not there; the program itself may not.
 * @param program the folder of the program's own files
 * @param left takes the names of what stays outside
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
