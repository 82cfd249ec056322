/**
 * The code that V8 has compiled of a bundle, stored next to it: a start then compiles nothing, which is three quarters of its time.
 * A loader takes the place of the bundle. Another version of V8 ignores what is stored, and compiles the bundle.
 */
import { basename } from 'node:path';
import { failure } from '../failure';
import { loadOnce } from '../project/load-once';

/** The path of the bundle behind a loader. */
export function codeFile(outfile: string): string {
  return outfile.replace(/\.[cm]?js$/, '') + '.code.cjs';
}

/** Runs the bundle in `file` within the module that has this text; `script` is what V8 has compiled. */
const RUN = `const { readFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname } = require('node:path');
const { Script, constants } = require('node:vm');
const run = (file, cachedData) => {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(wrap(readFileSync(file, 'utf8')), { filename: file, cachedData, importModuleDynamically });
  script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return script;
};`;

/** The file that takes the place of a bundle. */
export function loaderText(outfile: string): string {
  const code = basename(codeFile(outfile));
  return `'use strict';
// Written by \`sigil build --code-cache\`: runs ${code} with the code that V8 has compiled of it before.
${RUN}
const file = require('node:path').join(__dirname, ${JSON.stringify(code)});
let stored;
try {
  stored = readFileSync(\`\${file}.cache\`);
} catch {
  // Without it, the bundle is compiled.
}
run(file, stored);
`;
}

/** Loads the bundle as Lambda does, until its server has started, and stores what V8 has compiled. */
const MAKE = `${RUN}
globalThis.awslambda ??= { streamifyResponse: (handler) => handler };
const file = process.argv[1];
const script = run(file);
Promise.all(Object.values(module.exports).map((each) => each?.ready)).then(
  () => {
    require('node:fs').writeFileSync(\`\${file}.cache\`, script.createCachedData());
    process.exit(0);
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);`;

/**
 * Runs a bundle once, and stores the code next to it.
 * @param file the bundle behind the loader
 * @throws CliFailure with what the program printed, if it does not start
 */
export async function makeCodeCache(file: string, signal: AbortSignal): Promise<void> {
  const reason = await loadOnce(['-e', MAKE, file], signal);
  if (reason !== undefined) throw failure('SIGIL_BUILD_CODE_CACHE', { reason });
}
