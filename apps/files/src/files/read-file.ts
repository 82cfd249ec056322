/** The contents of a file. */
import { readFile, stat } from 'node:fs/promises';

/** The largest file that is returned, in bytes. */
const LARGEST = 1024 * 1024;

/** @returns the text of a file, or its bytes if it is binary; or the reason why it cannot be read, as `refused` */
export async function contentsOf(path: string): Promise<string | Buffer | { readonly refused: string }> {
  const facts = await stat(path);
  if (!facts.isFile()) return { refused: 'This is a folder. List its files with findFiles.' };
  if (facts.size > LARGEST) return { refused: `The file has ${facts.size} bytes; the limit is ${LARGEST}.` };
  const bytes = await readFile(path);
  return bytes.includes(0) ? bytes : bytes.toString('utf8');
}
