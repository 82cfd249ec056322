/** The bundler, loaded on demand because only one command needs it. */
import type * as Esbuild from 'esbuild';

/** The bundler's API. */
export type Bundler = typeof Esbuild;

/** Loads the bundler. */
export async function loadBundler(): Promise<Bundler> {
  return import('esbuild');
}
