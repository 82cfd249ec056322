/** A file of the user's project, parsed by the project's own TypeScript, insertions into it, and changes of several files or none. */
import { readFileSync } from 'node:fs';
import type * as TypeScript from 'typescript';
import { failure } from '../failure';
import type { Compiler } from '../project/load-typescript';
import { writeFailure, writeFiles } from '../write-files';
import { styleOf, type CodeStyle } from './code-style';

/** A file as it is on disk. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: TypeScript.SourceFile;
  readonly style: CodeStyle;
}

/** A text to insert at a position of a file. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * @param shown the name of the file in messages
 * @throws CliFailure if it does not parse
 */
export function readSource(compiler: Compiler, path: string, shown: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  checkParses(compiler, text, shown);
  const tree = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true);
  return { path, text, tree, style: styleOf(text) };
}

/** @throws CliFailure with the first syntax error */
export function checkParses(compiler: Compiler, text: string, shown: string): void {
  const name = /\.tsx\b/.test(shown) ? 'file.tsx' : 'file.ts';
  const [first] = syntaxErrorsIn(compiler, compiler.createSourceFile(name, text, compiler.ScriptTarget.Latest));
  if (!first) return;
  const { line } = first.file.getLineAndCharacterOfPosition(first.start);
  const reason = compiler.flattenDiagnosticMessageText(first.messageText, ' ').replace(/\.$/, '');
  throw failure('SIGIL_ADD_SYNTAX', { place: `${shown}:${line + 1}`, reason });
}

/** Only a program gives them: of this file alone, without types. */
function syntaxErrorsIn(compiler: Compiler, tree: TypeScript.SourceFile): readonly TypeScript.DiagnosticWithLocation[] {
  const host: TypeScript.CompilerHost = {
    getSourceFile: (name) => (name === tree.fileName ? tree : undefined),
    fileExists: (name) => name === tree.fileName,
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  };
  const program = compiler.createProgram([tree.fileName], { noLib: true, noResolve: true, types: [] }, host);
  return program.getSyntacticDiagnostics(tree);
}

/** @returns the text with all insertions; insertions at one position keep their order */
export function insertInto(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions
    .map((each, index) => ({ ...each, index }))
    .sort((a, b) => a.at - b.at || a.index - b.index);
  let result = '';
  let done = 0;
  for (const { at, text: inserted } of ordered) {
    result += text.slice(done, at) + inserted;
    done = at;
  }
  return result + text.slice(done);
}

/** The whole new content of a file. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
}

/**
 * @param within the folder of the project, that no link leads out of
 * @throws CliFailure if a file cannot be written; all files are then unchanged
 */
export function writeChanges(changes: readonly FileChange[], within: string): void {
  try {
    const files = changes.map(({ path, text }) => ({ path, contents: text }));
    writeFiles(files, { within });
  } catch (error) {
    throw writeFailure(error, (reason) => failure('SIGIL_ADD_UNWRITABLE', { reason }));
  }
}
