/**
 * Modules of Node in a bundle for Cloudflare Workers: they can only be imported at the top of the file, and some do not exist there.
 * @see https://developers.cloudflare.com/workers/runtime-apis/nodejs/
 */
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/** The modules that Workers do not have with the flag `nodejs_compat`: the test of this list asks workerd for each. */
export const MISSING: ReadonlySet<string> = new Set([
  'child_process', 'cluster', 'console', 'dgram', 'domain', 'inspector', 'inspector/promises', 'perf_hooks', 'punycode', 'readline',
  'readline/promises', 'repl', 'sqlite', 'trace_events', 'tty', 'v8', 'vm', 'wasi', 'worker_threads',
]); // prettier-ignore

const BUILTINS: ReadonlySet<string> = new Set(builtinModules);
const NAMESPACE = 'worker-module';

/**
 * Imports modules of Node at the top of the file. A module that Workers do not have throws when it is first required, so that a package
 * can do without it.
 * @param missing receives the names of modules that Workers do not have
 */
export function workerModules(missing: Set<string>): Plugin {
  return {
    name: 'worker-modules',
    setup(bundler) {
      bundler.onResolve({ filter: /^[a-z]/ }, ({ path, namespace }) => {
        const name = path.replace(/^node:/, '');
        if (!(path.startsWith('node:') || BUILTINS.has(name))) return undefined;
        return namespace === NAMESPACE ? { path, external: true } : { path: name, namespace: NAMESPACE };
      });
      bundler.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path: name }) => {
        if (MISSING.has(name)) missing.add(`node:${name}`);
        return { contents: MISSING.has(name) ? throwing(name) : importing(name), loader: 'js' };
      });
    },
  };
}

function importing(name: string): string {
  const module = JSON.stringify(`node:${name}`);
  return `import * as all from ${module}; module.exports = all.default ?? all;`;
}

function throwing(name: string): string {
  const message = `Cloudflare Workers do not have the module node:${name}.`;
  return `throw Object.assign(new Error(${JSON.stringify(message)}), { code: 'MODULE_NOT_FOUND' });`;
}
