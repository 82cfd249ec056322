/** The contents of a file. */
import { readFile, stat } from 'node:fs/promises';

/** What a model can take in at once, bytes. */
const LARGEST = 1024 * 1024;

/** @returns its text, or its bytes if it is none; in words why neither, as `refused` */
export async function contentsOf(path: string): Promise<string | Buffer | { readonly refused: string }> {
  const facts = await stat(path);
  if (!facts.isFile()) return { refused: 'This is a folder. findFiles has its files.' };
  if (facts.size > LARGEST) return { refused: `The file has ${facts.size} bytes, and ${LARGEST} are shown at most.` };
  const bytes = await readFile(path);
  return bytes.includes(0) ? bytes : bytes.toString('utf8');
}
