/** When each page was changed last. Git is asked once for all pages. */
import { execFileSync } from 'node:child_process';
import { root } from './links.mjs';

let dates;

/**
 * The time of the last commit of a page.
 * @param relativePath below `docs`
 * @returns milliseconds; undefined for a page that is in no commit
 */
export function changedAt(relativePath) {
  dates ??= readDates();
  return dates.get(`docs/${relativePath}`);
}

function readDates() {
  const found = new Map();
  for (const commit of readLog().split('\0').slice(1)) {
    const [seconds, ...files] = commit.split('\n');
    for (const file of files) if (file !== '' && !found.has(file)) found.set(file, Number(seconds) * 1000);
  }
  return found;
}

/** The commits of the pages, the last one first; nothing outside of a repository. */
function readLog() {
  try {
    const args = ['log', '--format=%x00%ct', '--name-only', '--', 'docs'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
  } catch {
    return '';
  }
}
