/** The project's own files, and the names of positions in them. */
import type * as TypeScript from 'typescript';
import { shownPath } from '../project/shown-path';
import type { ReadSetup } from './read-setup';

/** @returns the sources that the build compiles, without those of packages */
export function ownFiles({ program }: ReadSetup): TypeScript.SourceFile[] {
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes('/node_modules/'));
}

/** The file and line of a node, such as `src/notes.feature.ts:12`. */
export function positionOf({ folder }: ReadSetup, node: TypeScript.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${shownPath(folder, file.fileName)}:${line + 1}`;
}
