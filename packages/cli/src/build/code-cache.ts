/**
 * The code that V8 has compiled of a bundle, stored next to it: a start then compiles nothing, which is three quarters of its time.
 * A loader takes the place of the bundle. Where the stored code does not fit, the loader warns, and V8 compiles the bundle.
 */
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { commandWords } from '../errors/errors';
import { failure, wrongUsage } from '../failure';
import { fillIn } from '../files/template';
import { loadOnce } from '../project/load-once';
import { writeFiles } from '../write-files';
import type { BuildTarget } from './build-target';
import type { Shell } from '../terminal/shell';
import { templatesOfCli } from '../version';

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

/** The text of a program: `run` compiles a bundle as Node compiles a CommonJS module, and runs it within the module that has this text. */
function programText(
  name: 'run' | 'make' | 'loader',
  words: Readonly<Record<string, string>> = {},
  flags: Readonly<Record<string, boolean>> = {},
): string {
  const text = readFileSync(join(templatesOfCli(), 'code-cache', `${name}.template`), 'utf8');
  return fillIn(text, { words: { head: String(HEAD), ...words }, flags });
}

/** What the loader says of stored code that does not fit, in front of the reason and after it. */
function staleWords(): readonly string[] {
  const { problem, fix } = commandWords('SIGIL_CODE_CACHE_STALE', { reason: '\n' });
  return `${problem} ${fix}`.split('\n');
}

/** Writes the file that takes the place of a bundle; the bundle is there. @param folder of the project */
export function writeLoader(outfile: string, folder: string): void {
  const text = readFileSync(codeFile(outfile), 'utf8');
  const [hashbang = ''] = /^#!.*\n/.exec(text) ?? [];
  const [code = '', cache = ''] = filesBehind(outfile);
  const run = programText('run').trimEnd();
  const words = { run, code, cache, codeText: JSON.stringify(code), words: JSON.stringify(staleWords()) };
  const contents = hashbang + programText('loader', words, { imports: IMPORTS.test(text) });
  writeFiles([{ path: outfile, contents }], { within: folder });
}

/** What may be `import()` of a package outside of the bundle: Node 20 cannot run it in stored code. */
const IMPORTS = /\bimport\(/;

/**
 * Runs a bundle once, and stores the code next to it: on Lambda when its server has started, and otherwise before its server starts, or when
 * the program ends.
 * @param file the bundle behind the loader
 * @throws CliFailure with what the program printed, if it does not start
 */
export async function makeCodeCache(
  shell: Shell,
  { file, target }: { readonly file: string; readonly target: BuildTarget },
  signal: AbortSignal,
): Promise<void> {
  const reason = await loadOnce(['-e', programText('run') + programText('make'), file, target], signal, shell);
  if (reason !== undefined) throw failure('SIGIL_BUILD_CODE_CACHE', { reason });
}
