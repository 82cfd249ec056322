/** Files next to the source that names them: `@View(uri, { file: './chart.html' })`. */
import type * as Files from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '@sigil-mcp/base';

/**
 * The path of the file that calls a decorator or a function, by the stack: that of the compiled file, if it was compiled.
 * @param called the function that asks
 * @returns undefined if the stack does not tell, as in `eval`
 */
export function sourceFileOf(called: (...args: never[]) => unknown): string | undefined {
  const own = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const place: { readonly stack?: unknown } = {};
  // The path as it is: another function here could map it, and so would Node with source maps.
  Error.prepareStackTrace = (_error, sites) => sites[0]?.getFileName();
  try {
    Error.captureStackTrace(place, called);
    const { stack: file } = place;
    if (typeof file !== 'string') return undefined;
    return file.startsWith('file:') ? fileURLToPath(file) : file;
  } finally {
    if (own) Object.defineProperty(Error, 'prepareStackTrace', own);
    else Reflect.deleteProperty(Error, 'prepareStackTrace');
  }
}

/**
 * The path of a file next to a source. It is looked for next to the file that names it, and then next to the sources of that file by its
 * source map, because compilers copy only what they compile. An absolute path stays.
 * @param sourceFile the result of `sourceFileOf`; the current folder counts if it is undefined
 */
export function besideSource(path: string, sourceFile: string | undefined): string {
  if (isAbsolute(path)) return path;
  if (sourceFile === undefined) return resolve(path);
  const beside = resolve(dirname(sourceFile), path);
  // Not every platform has files, so the module is asked for at run time.
  const files = process.getBuiltinModule('node:fs');
  if (!files || files.existsSync(beside)) return beside;
  return (
    sourcesOf(sourceFile, files)
      .map((source) => resolve(dirname(source), path))
      .find((file) => files.existsSync(file)) ?? beside
  );
}

/** The sources in the map of a compiled file; none without a readable map. */
function sourcesOf(compiled: string, { readFileSync }: typeof Files): readonly string[] {
  try {
    const map: unknown = JSON.parse(readFileSync(`${compiled}.map`, 'utf8'));
    if (!isObject(map) || !Array.isArray(map['sources'])) return [];
    const { sourceRoot } = map;
    const root = resolve(dirname(compiled), typeof sourceRoot === 'string' ? sourceRoot : '');
    return map['sources'].filter((source) => typeof source === 'string').map((source) => resolve(root, source));
  } catch {
    return [];
  }
}
