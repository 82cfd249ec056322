/**
 * The code that V8 has compiled of a bundle, stored next to it: a start then compiles nothing, which is three quarters of its time.
 * A loader takes the place of the bundle. Where the stored code does not fit, the loader warns, and V8 compiles the bundle.
 */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { commandWords } from '../errors/errors';
import { failure, wrongUsage } from '../failure';
import { loadOnce } from '../project/load-once';
import { writeFiles } from '../write-files';
import type { BuildTarget } from './build-target';
import type { Shell } from '../terminal/shell';

/** The path of the bundle behind a loader. */
export function codeFile(outfile: string): string {
  return outfile.replace(/\.[cm]?js$/, '') + '.code.cjs';
}

/** The names of the files behind a loader. */
export function filesBehind(outfile: string): readonly string[] {
  const code = basename(codeFile(outfile));
  return [code, `${code}.cache`];
}

/** @throws CliFailure if V8 can store nothing of such a bundle: it stores the code of scripts, not of ES modules */
export function checkCodeCache(target: BuildTarget, out: string | undefined): void {
  if (target === 'worker' || extname(out ?? '') === '.mjs') throw wrongUsage('SIGIL_BUILD_CACHE_TARGET');
}

/** Characters in front of the stored code: the digest of the bundle and the version of Node that compiled it. */
const HEAD = 128;

/** Compiles the bundle in `file` as Node compiles a CommonJS module, and runs it within the module that has this text. */
const RUN = `const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname } = require('node:path');
const { Script, constants } = require('node:vm');
const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const compile = (file, bytes, cachedData) => {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script(wrap(bytes.toString().replace(/^#!/, '//')), { filename: file, cachedData, importModuleDynamically });
};
const run = (script, file) =>
  script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, dirname(file));`;

/** What the loader says of stored code that does not fit, in front of the reason and after it. */
function staleWords(): readonly string[] {
  const { problem, fix } = commandWords('SIGIL_CODE_CACHE_STALE', { reason: '\n' });
  return `${problem} ${fix}`.split('\n');
}

/** Drops the stored code on Node 20. */
const NO_IMPORTS = `if (stored && parseInt(process.versions.node, 10) < 22) {
  warn('it calls import(), which Node 20 cannot run in stored code');
  stored = undefined;
}
`;

/** Writes the file that takes the place of a bundle; the bundle is there. @param folder of the project */
export function writeLoader(outfile: string, folder: string): void {
  const text = readFileSync(codeFile(outfile), 'utf8');
  const [hashbang = ''] = /^#!.*\n/.exec(text) ?? [];
  const contents = `${hashbang}${loaderText(outfile, IMPORTS.test(text))}`;
  writeFiles([{ path: outfile, contents }], { within: folder });
}

/** What may be `import()` of a package outside of the bundle: Node 20 cannot run it in stored code. */
const IMPORTS = /\bimport\(/;

function loaderText(outfile: string, hasImports: boolean): string {
  const [code = '', cache = ''] = filesBehind(outfile);
  return `'use strict';
// Written by \`sigil build --code-cache\`: runs ${code} with the code that V8 has compiled of it before.
${RUN}
const warn = (reason) =>
  process.emitWarning(${JSON.stringify(staleWords())}.join(reason), { code: 'SIGIL_CODE_CACHE_STALE' });
const file = require('node:path').join(__dirname, ${JSON.stringify(code)});
const bytes = readFileSync(file);
let stored;
try {
  stored = readFileSync(\`\${file}.cache\`);
} catch (error) {
  warn(\`${cache} cannot be read (\${error.code})\`);
}
${hasImports ? NO_IMPORTS : ''}const [digest, version] = stored ? stored.toString('latin1', 0, ${HEAD}).split(' ') : [];
const fits = stored !== undefined && digest === digestOf(bytes);
const script = compile(file, bytes, fits ? stored.subarray(${HEAD}) : undefined);
if (stored && !fits) warn('${cache} belongs to another ${code}');
else if (script.cachedDataRejected) warn(\`Node \${version} has compiled it, and this is \${process.version}, or has other flags\`);
run(script, file);
`;
}

/**
 * Loads the bundle and stores what V8 has compiled: on Lambda when its server has started, and otherwise before its server starts, or
 * when the program ends.
 */
const MAKE = `${RUN}
const [, file, target] = process.argv;
const bytes = readFileSync(file);
const script = compile(file, bytes);
process.mainModule = module;
const store = () => {
  const head = Buffer.from(\`\${digestOf(bytes)} \${process.version} \`.padEnd(${HEAD}));
  const { rmSync, writeFileSync } = require('node:fs');
  // A new file, and nothing behind a link.
  rmSync(\`\${file}.cache\`, { force: true });
  writeFileSync(\`\${file}.cache\`, Buffer.concat([head, script.createCachedData()]), { flag: 'wx' });
};
const fail = (error) => {
  console.error(error);
  process.exit(1);
};
if (target === 'lambda') {
  globalThis.awslambda ??= { streamifyResponse: (handler) => handler };
  run(script, file);
  Promise.all(Object.values(module.exports).map((each) => each?.ready)).then(() => {
    store();
    process.exit(0);
  }, fail);
} else {
  const starting = () => process.exit(0);
  globalThis[Symbol.for('sigil.shape-recorder')] = { record: () => undefined, starting };
  process.once('exit', (status) => status === 0 && store());
  run(script, file);
}`;

/**
 * Runs a bundle once, and stores the code next to it.
 * @param file the bundle behind the loader
 * @throws CliFailure with what the program printed, if it does not start
 */
export async function makeCodeCache(
  shell: Shell,
  { file, target }: { readonly file: string; readonly target: BuildTarget },
  signal: AbortSignal,
): Promise<void> {
  const reason = await loadOnce(['-e', MAKE, file, target], signal, shell);
  if (reason !== undefined) throw failure('SIGIL_BUILD_CODE_CACHE', { reason });
}
