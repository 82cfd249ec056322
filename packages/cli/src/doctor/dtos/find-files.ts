/** The files of a project that match a pattern: `src/**\/*.dto.ts`, a folder, or a file. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** Folders without sources. */
const ELSEWHERE: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'coverage']);

/**
 * @param pattern relative to the folder, with `*`, `**`, `?` and `{one,other}`
 * @returns absolute paths, in order
 */
export function findFiles(folder: string, pattern: string): readonly string[] {
  const named = resolve(folder, pattern);
  const isFolder = existsSync(named) && statSync(named).isDirectory();
  const wanted = toExpression(isFolder ? `${pattern.replace(/(?<!\/)\/+$/, '')}/**/*.ts` : pattern);
  return walk(folder).filter((file) => wanted.test(relative(folder, file).split(sep).join('/')));
}

function walk(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ELSEWHERE.has(entry.name) || entry.name.startsWith('.') ? [] : walk(path);
    return /(?<!\.(?:d|spec|test))\.[cm]?ts$/.test(entry.name) ? [path] : [];
  });
}

const PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
  ',': '|',
};

function toExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, '')
    .replace(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (part) => PARTS[part] ?? `\\${part}`);
  return new RegExp(`^${source}$`);
}
