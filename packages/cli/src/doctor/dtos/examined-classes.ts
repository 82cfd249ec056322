/** The result of `sigil doctor --dtos`, and its text. */
import type { ErrorWords } from '@sigil-mcp/base';

/** A class, and the messages of a server about it. */
export interface FoundClass {
  /** The file that exports it. */
  readonly file: string;
  readonly name: string;
  readonly refused: readonly ErrorWords[];
  readonly guessed: readonly ErrorWords[];
}

/** A file that could not be loaded. */
export interface UnreadFile {
  readonly file: string;
  readonly reason: string;
}

/** The whole result. */
export interface FoundClasses {
  readonly classes: readonly FoundClass[];
  readonly unread: readonly UnreadFile[];
}

/** @returns the list for users: refused classes, guesses, files that were not read, and the counts */
export function describeClasses({ classes, unread }: FoundClasses): string {
  const refused = classes.filter((each) => each.refused.length > 0);
  const guessed = classes.filter((each) => each.guessed.length > 0);
  const lines = [
    ...section('Refused', refused, 'refused'),
    ...section('Guessed', guessed, 'guessed'),
    ...(unread.length > 0 ? ['Not read', ...unread.map(({ file, reason }) => `    ${file}: ${reason}`), ''] : []),
  ];
  const good = classes.length - refused.length;
  const share = classes.length === 0 ? '' : ` (${((100 * good) / classes.length).toFixed(1)} %)`;
  const verdict = [
    `${good} of ${classes.length} classes start${share}`,
    `${refused.length} are refused`,
    `${guessed.length} start with a guess`,
    ...(unread.length > 0 ? [`${unread.length} files were not read`] : []),
  ];
  return `${[...lines, ...countsOf(classes), `${verdict.join(', ')}.`].join('\n')}\n`;
}

function section(title: string, found: readonly FoundClass[], kind: 'refused' | 'guessed'): string[] {
  if (found.length === 0) return [];
  const lines = found.flatMap(({ file, name, [kind]: words }) => [
    `    ${name} (${file})`,
    ...words.flatMap(({ problem, fix, code }) => [`        ${problem} [${code}]`, `        → ${fix}`]),
  ]);
  return [title, ...lines, ''];
}

/** The number of classes for each code, the most frequent first. */
function countsOf(classes: readonly FoundClass[]): string[] {
  const counts = new Map<string, number>();
  for (const { refused, guessed } of classes)
    for (const code of new Set([...refused, ...guessed].map((words) => words.code)))
      counts.set(code, (counts.get(code) ?? 0) + 1);
  const rows = [...counts].sort(([, one], [, other]) => other - one).map(([code, count]) => `    ${count} × ${code}`);
  return rows.length > 0 ? ['Classes by error code', ...rows, ''] : [];
}
