/** Formats code as the project formats its own: with its prettier, if it has one. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '@sigil-mcp/base';

/** Formats the text of a file with this path. */
export type FormatCode = (path: string, text: string) => Promise<string>;

interface Prettier {
  readonly format: (text: string, options: object) => Promise<string>;
  readonly resolveConfig: (path: string) => Promise<object | null>;
}

/** Finds the formatter of a project; undefined without one. */
export async function findFormatter(folder: string): Promise<FormatCode | undefined> {
  const prettier = await loadPrettier(folder);
  if (!prettier) return undefined;
  return async (path, text) => prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
}

async function loadPrettier(folder: string): Promise<Prettier | undefined> {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve('prettier');
    const loaded: unknown = await import(pathToFileURL(path).href);
    const module = isObject(loaded) && isObject(loaded['default']) ? { ...loaded['default'], ...loaded } : loaded;
    return isPrettier(module) ? module : undefined;
  } catch {
    return undefined;
  }
}

function isPrettier(module: unknown): module is Prettier {
  return isObject(module) && typeof module['format'] === 'function' && typeof module['resolveConfig'] === 'function';
}
