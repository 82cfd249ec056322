/** Paths and errors of the file system, in messages. */
import { isAbsolute, relative, sep } from 'node:path';
import { visibleLine } from '@sigil-mcp/core/internal';

/** A path as people read it: from the working directory if it is within, with slashes on every system. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  const isWithin = short !== '' && !isAbsolute(short) && short.split(sep)[0] !== '..';
  return visibleLine((isWithin ? short : path).split(sep).join('/'));
}

/** Why the file system refused something. */
export function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code ?? (error instanceof Error ? error.message : String(error));
}
