/**
 * Validators that are loaded on first use. The main file of class-validator loads all of them, including the telephone numbers of all
 * countries, which takes a fifth of the start-up time. The package declares that its modules have no side effects.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** The files that only re-export other files. */
const BARRELS = /[\\/]class-validator[\\/]cjs[\\/](?:index|decorator[\\/]decorators)\.js$/;
/** `export * from`, as the compiler writes it. */
const HANDED_ON = /^__exportStar\(require\("(?<path>[^"]+)"\), exports\);$/gm;

/**
 * Loads each export of class-validator on first use.
 * @param used the exports that become part of the bundle; all of them if left out
 */
export function lateValidators(used?: ReadonlySet<string>): Plugin {
  return {
    name: 'late-validators',
    setup(bundler) {
      bundler.onLoad({ filter: BARRELS }, ({ path: file }) => {
        const load = createRequire(file);
        const text = readFileSync(file, 'utf8');
        const contents = text.replaceAll(HANDED_ON, (_, path: string) => {
          const names = Object.keys(load(path) as object);
          return late(path, used ? names.filter((name) => used.has(name)) : names);
        });
        return { contents, loader: 'js' };
      });
    },
  };
}

function late(path: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const from = JSON.stringify(path);
  return `for (const name of ${JSON.stringify(names)})
  if (!Object.hasOwn(exports, name)) Object.defineProperty(exports, name, { enumerable: true, get: () => require(${from})[name] });`;
}
