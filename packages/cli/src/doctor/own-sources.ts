/** The project's own files, and how a place in them is called. */
import { relative, sep } from 'node:path';
import type * as TypeScript from 'typescript';
import type { ReadSetup } from './read-setup';

/** @returns the sources that the build compiles, without those of packages */
export function ownFiles({ program }: ReadSetup): TypeScript.SourceFile[] {
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes('/node_modules/'));
}

/** `src/notes.feature.ts:12`. */
export function place({ folder }: ReadSetup, node: TypeScript.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${relative(folder, file.fileName).replaceAll(sep, '/')}:${line + 1}`;
}
