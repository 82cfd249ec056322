/** The lines of a stack trace that are about the code of the project, not about its packages or Node. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourcePosition } from '../project/show-position';
import { shownPath } from '../project/find-project';

/** One call of the stack. */
export interface StackFrame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `at NotesFeature.takeNote (src/notes.feature.ts:30:33)`, with a path below the project. */
  readonly text: string;
}

const FRAME = /^\s+at (?:(.*) \()?(.+?):(\d+):(\d+)\)?$/;

/** The calls in files of the project, the innermost first. */
export function ownFrames(stack: string, folder: string): readonly StackFrame[] {
  return stack.split('\n').flatMap((each) => {
    const [, name, path = '', line, column] = FRAME.exec(each) ?? [];
    const file = pathOf(path);
    if (file === undefined || !isOwn(file, folder)) return [];
    const position = `${shownPath(folder, file)}:${line}:${column}`;
    const text = name === undefined ? `at ${position}` : `at ${name} (${position})`;
    return [{ file, line: Number(line), column: Number(column), text }];
  });
}

/** The position of a call in its file; undefined if the file is gone or has changed. */
export function positionOfFrame({ file, line, column }: StackFrame): SourcePosition | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  if (lines.length < line) return undefined;
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return { fileName: file, text, start: before + column - 1, length: 1 };
}

function pathOf(path: string): string | undefined {
  const plain = path.replace(/^async /, '');
  if (plain.startsWith('file://')) return fileURLToPath(plain);
  return isAbsolute(plain) ? plain : undefined;
}

function isOwn(file: string, folder: string): boolean {
  const below = relative(folder, file);
  return !isAbsolute(below) && !below.split(sep).some((part) => part === '..' || part === 'node_modules');
}
