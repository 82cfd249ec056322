/** The earlier files of a sink: `audit.log.000001`, in the order of their numbers. */
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DIGITS = 6;

/** The end of the name of a file that was rotated. */
export const ROTATED = /\.(\d{6,})$/;

/** The rotated files of a path, the oldest first. */
export function rotatedFiles(path: string): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  const rotated = readdirSync(folder).filter(
    (one) => one.startsWith(`${name}.`) && ROTATED.test(one.slice(name.length)),
  );
  return rotated.sort((one, other) => numberOf(one) - numberOf(other)).map((one) => join(folder, one));
}

/** The name for the file that is rotated next. */
export function nextRotated(path: string): string {
  const last = rotatedFiles(path).at(-1);
  return `${path}.${`${(last === undefined ? 0 : numberOf(last)) + 1}`.padStart(DIGITS, '0')}`;
}

/** Removes the oldest files beyond a number. @returns those that were removed */
export function removeOldest(path: string, keep: number): readonly string[] {
  const files = rotatedFiles(path);
  const oldest = files.slice(0, Math.max(0, files.length - keep));
  for (const file of oldest) rmSync(file, { force: true });
  return oldest;
}

function numberOf(file: string): number {
  return Number(ROTATED.exec(file)?.[1]);
}
