/** The bundler, loaded when it is needed: of the commands one makes bundles. */
import type * as Esbuild from 'esbuild';

/** The bundler's API. */
export type Bundler = typeof Esbuild;

/** Loads the bundler. */
export async function loadBundler(): Promise<Bundler> {
  return import('esbuild');
}
