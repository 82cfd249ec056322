/** A migration for the user: the change of each file, the counts, and what is left to do. */
import { sources, type Styles } from '@sigil-mcp/cli/kit';
import type { Migration, MovedText, PlacedNotice } from './migrate-nest';
import { addressOf } from './sources/source';

/** Lines that were added and taken away. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/** The change of every file. */
export function showFiles({ files }: Migration, styles: Styles): string[] {
  return files.flatMap(({ shown, before, text }) => {
    const { added, removed } = countLines({ before, text });
    const lines = sources.changedLines(before, text).map(([sign, line]) => {
      if (sign === '…') return styles.dim('  …');
      const whole = `${sign} ${line}`.trimEnd();
      if (sign === ' ') return styles.dim(whole);
      return sign === '+' ? styles.good(whole) : styles.bad(whole);
    });
    return [styles.bold(`${shown}  +${added} -${removed}`), ...lines, ''];
  });
}

/** What was moved, in one line. */
export function showCounts({ files, counts }: Migration): string {
  const all = files.map(countLines);
  const added = all.reduce((sum, each) => sum + each.added, 0);
  const removed = all.reduce((sum, each) => sum + each.removed, 0);
  const moved = [...counts].map(([what, count]) => `${count} ${count === 1 ? what.replace(/s$/, '') : what}`);
  return `${files.length} files, +${added} -${removed} lines: ${moved.join(', ')}.`;
}

/** What is left, and what differs. */
export function showNotices({ notices }: Migration, styles: Styles): string[] {
  const of = (kind: PlacedNotice['kind']): PlacedNotice[] => notices.filter((notice) => notice.kind === kind);
  const lines = (found: readonly PlacedNotice[]): string[] =>
    found.flatMap(({ place, reason, page }) => [`  ${place}  ${reason}`, styles.dim(`    ${addressOf(page)}`)]);
  const [todos, notes] = [of('todo'), of('note')];
  return [
    ...(todos.length > 0 ? ['', `To do by hand, and marked with TODO(sigil): ${todos.length}`, ...lines(todos)] : []),
    ...(notes.length > 0 ? ['', `Moved, and different from before: ${notes.length}`, ...lines(notes)] : []),
  ];
}

/** Counts the lines that a change adds and takes away. */
export function countLines({ before, text }: Pick<MovedText, 'before' | 'text'>): LineCount {
  const signs = sources.changedLines(before, text).map(([sign]) => sign);
  return {
    added: signs.filter((sign) => sign === '+').length,
    removed: signs.filter((sign) => sign === '-').length,
  };
}
