/** Bundles without `reflect-metadata`: a module with the same functions takes its place, and 50 kB are gone. */
import type { Plugin } from 'esbuild';

/** The package and its entries. */
const NAMES = /^reflect-metadata(?:\/lite|\/Reflect(?:\.js)?)?$/;

/** Bundles the small module instead of the package, unless the package stays outside of the bundle. */
export function withoutReflectMetadata(isOutside: (name: string) => boolean): Plugin {
  return {
    name: 'without-reflect-metadata',
    setup(bundler) {
      bundler.onResolve({ filter: NAMES }, () =>
        isOutside('reflect-metadata') ? undefined : { path: require.resolve('./small-reflect'), sideEffects: true },
      );
    },
  };
}
