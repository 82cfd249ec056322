/** Checks that a path stays inside its folder: paths come from callers, who may be hostile. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Folders that are not listed file by file. */
export const HIDDEN: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The target of a path: a file or a folder, or the reason for the caller why it cannot be read. */
export type Found = { readonly root: string; readonly path: string } | { readonly refused: string };

/**
 * Finds the target of a path.
 * @param root a real path, without links
 * @param path relative to it
 */
export async function findInside(root: string, path: string): Promise<Found> {
  const target = resolve(root, path);
  const names = relative(root, target).split(sep);
  if (names[0] === '..' || isAbsolute(names.join(sep))) return { refused: `"${path}" is outside of the folder.` };
  if (names.some((name) => HIDDEN.has(name))) return { refused: `"${path}" is hidden.` };
  const real = await realpath(target).catch(() => undefined);
  if (real === undefined) return { refused: `There is no "${path}". Look for it with findFiles.` };
  // A link may lead anywhere, and its target may change.
  return real === target
    ? { root, path: target }
    : { refused: `"${path}" leads through a link, which is not followed.` };
}
