/** The change of a file for the user: what differs between two texts, line by line, with the lines around it, and without secrets. */
import type { Styles } from '../terminal/styles';

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** Above this many lines, the changed part is shown as a whole. */
const LONGEST_COMPARED = 2000;

/** A line that went, came or stayed; `…` stands for lines that are left out. */
type ComparedLine = readonly [sign: '+' | '-' | ' ' | '…', text: string];

/** The changed lines with those around them; empty if nothing changes. */
export function changedLines(before: string, after: string): ComparedLine[] {
  if (before === after) return [];
  const lines = compare(linesOf(before), linesOf(after));
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([sign]) => sign !== ' '),
  );
  return lines.flatMap((line, index): ComparedLine[] => {
    if (near[index] === true) return [line];
    return near[index - 1] === true && index < lines.length ? [['…', '']] : [];
  });
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function compare(before: readonly string[], after: readonly string[]): ComparedLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...before.slice(0, start).map((text): ComparedLine => [' ', text]),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text): ComparedLine => [' ', text]),
  ];
}

/** The shortest change, by the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): ComparedLine[] {
  if (before.length * after.length > LONGEST_COMPARED * LONGEST_COMPARED)
    return [...before.map((text): ComparedLine => ['-', text]), ...after.map((text): ComparedLine => ['+', text])];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const same = before[row] === after[column];
      common[row * width + column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: ComparedLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, now] = [before[row], after[column]];
    if (old !== undefined && old === now) {
      lines.push([' ', old]);
      row++;
      column++;
    } else if (old !== undefined && (now === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(['-', old]);
      row++;
    } else {
      lines.push(['+', now ?? '']);
      column++;
    }
  }
  return lines;
}

const HIDDEN = '••••••';
/** A line with a value whose name says that it is secret. */
const SECRET_LINE =
  /((?:key|token|secret|password|passwd|credentials?|authorization)["']?[ \t]*[:=][ \t]*)(["']?)([^"'\n]+)\2/gi;
/** Names of variables and switches are no secrets. */
const HARMLESS = /^(?:\$|<|Bearer \$|(?:true|false|null)\b)/;

/**
 * The changed lines with those around them; empty if nothing changes.
 * @param secrets values that are replaced in every line
 */
export function showChange(
  before: string,
  after: string,
  { styles, secrets }: { readonly styles: Styles; readonly secrets: readonly string[] },
): string[] {
  return changedLines(before, after).map(([sign, text]) => {
    if (sign === '…') return styles.dim('  …');
    const line = `${sign} ${hide(text, secrets)}`.trimEnd();
    if (sign === ' ') return styles.dim(line);
    return sign === '+' ? styles.good(line) : styles.bad(line);
  });
}

/** A text without secrets. */
export function hide(text: string, secrets: readonly string[]): string {
  const without = secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  return without.replace(SECRET_LINE, (line: string, name: string, quote: string, value: string) =>
    HARMLESS.test(value) ? line : `${name}${quote}${HIDDEN}${quote}`,
  );
}
