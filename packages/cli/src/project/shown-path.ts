/** The path of a project file in messages. */
import { relative, sep } from 'node:path';

/** @returns the path below the project, with slashes */
export function shownPath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}
