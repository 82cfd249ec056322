/** What differs: between two texts, line by line, and between two lists of a server. */

/** Lines of a text that are compared one by one; of longer ones, the rest is shown as it is. */
const MOST_LINES = 1500;

/**
 * @param {string} before @param {string} after
 * @returns {{ sign: ' ' | '-' | '+', line: string }[]}
 */
export function diffLines(before, after) {
  const [old, now] = [before.split('\n').slice(0, MOST_LINES), after.split('\n').slice(0, MOST_LINES)];
  const lengths = commonLengths(old, now);
  const lines = /** @type {{ sign: ' ' | '-' | '+', line: string }[]} */ ([]);
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ sign: ' ', line: old[row] });
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && lengths[row + 1][column] >= lengths[row][column + 1])) {
      lines.push({ sign: '-', line: old[row] });
      row += 1;
    } else {
      lines.push({ sign: '+', line: now[column] });
      column += 1;
    }
  }
  return lines;
}

/** The length of the longest common rest, for each pair of positions. @param {string[]} old @param {string[]} now */
function commonLengths(old, now) {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row][column] =
        old[row] === now[column]
          ? lengths[row + 1][column + 1] + 1
          : Math.max(lengths[row + 1][column], lengths[row][column + 1]);
  return lengths;
}

/** The kinds of entries, with the member that identifies one. */
const KINDS = /** @type {const} */ ([
  ['tools', 'name'],
  ['resources', 'uri'],
  ['templates', 'uriTemplate'],
  ['prompts', 'name'],
]);

/**
 * What a model sees otherwise than before.
 * @param {any} before @param {any} after
 * @returns {{ sign: '+' | '-' | '~', name: string, words: string }[]}
 */
export function changesBetween(before, after) {
  return KINDS.flatMap(([kind, key]) => {
    const old = new Map(before[kind].map((/** @type {any} */ one) => [one[key], one]));
    const now = new Map(after[kind].map((/** @type {any} */ one) => [one[key], one]));
    const added = [...now.keys()].filter((name) => !old.has(name)).map((name) => change('+', name));
    const removed = [...old.keys()].filter((name) => !now.has(name)).map((name) => change('-', name));
    const other = [...now].flatMap(([name, one]) => {
      const words = old.has(name) ? changedMembers(old.get(name), one) : '';
      return words === '' ? [] : [change('~', name, words)];
    });
    return [...added, ...removed, ...other];
  });
}

/** @param {'+' | '-' | '~'} sign @param {string} name */
function change(sign, name, words = '') {
  return { sign, name, words };
}

/** @param {any} old @param {any} now */
function changedMembers(old, now) {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name])).join(', ');
}
