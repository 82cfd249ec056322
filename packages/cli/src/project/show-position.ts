/** A message about a position in a source: its file, line and column, the line of code, and a caret below it. */
import type { Styles } from '../terminal/styles';
import { shownPath } from './shown-path';

/** A part of a source file. */
export interface SourcePosition {
  readonly fileName: string;
  /** The text of the whole file. */
  readonly text: string;
  /** The first character of the part, counted from 0. */
  readonly start: number;
  /** Characters to mark; those on further lines are not marked. */
  readonly length: number;
}

/** The file, line and column of a position, such as `src/notes.feature.ts:12:3`. @param folder the base of the path */
export function nameOfPosition({ fileName, text, start }: SourcePosition, folder: string): string {
  const before = text.slice(0, start).split('\n');
  return `${shownPath(folder, fileName)}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Shows a message with its position.
 * @param message follows the position on its line
 * @param folder the base of the path
 */
export function showPosition(
  position: SourcePosition,
  message: string,
  { folder, styles }: { readonly folder: string; readonly styles: Styles },
): string {
  const before = position.text.slice(0, position.start).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const source = position.text.split(/\r?\n/)[before.length - 1] ?? '';
  const marked = Math.max(1, Math.min(position.length, source.length - column));
  const gutter = `${before.length}`.padStart(5);
  return [
    `${styles.bold(nameOfPosition(position, folder))} ${message}`,
    `${styles.dim(`${gutter} |`)} ${source.replaceAll('\t', ' ')}`,
    `${' '.repeat(gutter.length)} ${styles.dim('|')} ${' '.repeat(column)}${styles.bad('^'.repeat(marked))}`,
  ].join('\n');
}
