/** Finds turns that are hard to read. Code between backticks, addresses, and blocks of code are skipped. */
import { ALLOWED, TURNS } from './turns.mjs';

/**
 * @param path of the file; blocks of code are skipped in files that end with `.md`
 * @param text of the file
 * @returns the turns in order: `{ line, turn, instead }`, lines counted from 1
 */
export function findTurns(path, text) {
  const found = [];
  let isCode = false;
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const isFence = path.endsWith('.md') && /^\s*(```|~~~)/.test(whole);
    if (isFence) isCode = !isCode;
    if (isCode || isFence) continue;
    const line = ALLOWED.reduce((rest, part) => rest.replace(part, ''), whole);
    for (const [pattern, instead] of TURNS) {
      const turn = pattern.exec(line)?.[0];
      if (turn !== undefined) found.push({ line: index + 1, turn, instead });
    }
  }
  return found;
}
