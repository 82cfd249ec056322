/**
 * Validators that run when they are asked for first. The main file of class-validator runs all of them, with the telephone numbers of
 * the world, which is a fifth of a start; the package says of itself that its modules have no side effects.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** The files that only hand on what others export. */
const BARRELS = /[\\/]class-validator[\\/]cjs[\\/](?:index|decorator[\\/]decorators)\.js$/;
/** As the compiler writes `export * from`. */
const HANDED_ON = /^__exportStar\(require\("(?<path>[^"]+)"\), exports\);$/gm;

/** Loads what class-validator exports when it is first used. */
export function lateValidators(): Plugin {
  return {
    name: 'late-validators',
    setup(bundler) {
      bundler.onLoad({ filter: BARRELS }, ({ path: file }) => {
        const load = createRequire(file);
        const text = readFileSync(file, 'utf8');
        const contents = text.replaceAll(HANDED_ON, (_, path: string) => late(path, Object.keys(load(path) as object)));
        return { contents, loader: 'js' };
      });
    },
  };
}

function late(path: string, names: readonly string[]): string {
  const from = JSON.stringify(path);
  return `for (const name of ${JSON.stringify(names)})
  if (!Object.hasOwn(exports, name)) Object.defineProperty(exports, name, { enumerable: true, get: () => require(${from})[name] });`;
}
