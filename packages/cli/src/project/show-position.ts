/** A message about a position in a source: its file, line and column, the line of code, and a caret below it. */
import type { Styles } from '../terminal/styles';
import { shownPath } from './find-project';

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

/** A mistake for a program that shows it itself, such as a page. */
export interface SourceProblem {
  readonly message: string;
  /** Of ours, or of the compiler, such as `TS1240`. */
  readonly code?: string | undefined;
  /** Where it is; undefined if it has no position. */
  readonly place?: SourcePlace | undefined;
  /** What follows the message: the fix, or the calls that led there. */
  readonly rest: readonly string[];
}

/** A position with the lines around it. */
export interface SourcePlace {
  /** The absolute path. */
  readonly file: string;
  /** The path below the project. */
  readonly shown: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Characters to mark. */
  readonly length: number;
  /** The number of the first line of `lines`. */
  readonly first: number;
  readonly lines: readonly string[];
}

/** Lines that are shown before and after a position. */
const AROUND = 3;

/** A position with the lines around it. @param folder the base of the path */
export function placeOf({ fileName, text, start, length }: SourcePosition, folder: string): SourcePlace {
  const before = text.slice(0, start).split('\n');
  const lines = text.split(/\r?\n/);
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
  const first = Math.max(1, line - AROUND);
  const marked = Math.max(1, Math.min(length, (lines[line - 1]?.length ?? 0) - column + 1));
  return {
    file: fileName,
    shown: shownPath(folder, fileName),
    line,
    column,
    length: marked,
    first,
    lines: lines.slice(first - 1, line + AROUND),
  };
}

/** The file, line and column of a position, such as `src/notes.feature.ts:12:3`. @param folder the base of the path */
export function nameOfPosition(position: SourcePosition, folder: string): string {
  return nameOfPlace(placeOf(position, folder));
}

/** The file, line and column of a place. */
export function nameOfPlace({ shown, line, column }: SourcePlace): string {
  return `${shown}:${line}:${column}`;
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
  return showPlace(placeOf(position, folder), message, styles);
}

/** Shows a mistake: its message with its position, and what follows. */
export function showProblem({ message, code, place, rest }: SourceProblem, styles: Styles): string {
  const shown = code?.startsWith('TS') === true ? code : `[${code}]`;
  const text = code === undefined ? message : `${message} ${styles.dim(shown)}`;
  const head = place ? showPlace(place, text, styles) : text;
  return [head, ...rest.map((line) => (isFrame(line) ? styles.dim(line) : line))].join('\n');
}

/** Whether a line is a call of a stack. */
export function isFrame(line: string): boolean {
  return /^\s+at /.test(line);
}

function showPlace(place: SourcePlace, message: string, styles: Styles): string {
  const { line, column, length, first, lines } = place;
  const gutter = `${line}`.padStart(5);
  return [
    `${styles.bold(nameOfPlace(place))} ${message}`,
    `${styles.dim(`${gutter} |`)} ${(lines[line - first] ?? '').replaceAll('\t', ' ')}`,
    `${' '.repeat(gutter.length)} ${styles.dim('|')} ${' '.repeat(column - 1)}${styles.bad('^'.repeat(length))}`,
  ].join('\n');
}
