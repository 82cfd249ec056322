/** `sigil add tool|resource|prompt|view`: a member of a feature, what belongs to it, and its spec. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/shown-path';
import { addExtension, addPackage } from './add-extension';
import { addImports, checkIsFree } from './add-imports';
import { chooseFeature } from './add-skill';
import { inStyle } from './code-style';
import { importedName } from './imported-name';
import { dashed, joined, pieceOf, renamed, type Piece, type PieceKind } from './pieces';
import type { FeatureClass, ReadProject } from './read-project';
import { checkParses, insertInto, type FileInsertions, type Insertion, type SourceFile } from './source-file';
import type { FileChange } from './write-changes';
import { specFor } from './write-spec';

/**
 * @param wanted file or class of the feature; may be left out if there is only one
 * @throws CliFailure if the piece cannot be added
 */
export function addPiece(project: ReadProject, kind: PieceKind, name: string, wanted?: string): readonly FileChange[] {
  checkName(kind, name);
  const feature = chooseFeature(project, wanted, name);
  checkIsNew(project, feature, name);
  const piece = pieceOf(kind, name, schemeOf(feature));
  const changed = changesIn(project, feature, piece).map((each) => changeOf(project, each));
  const others = piece.extension ? addPackage(project, piece.extension) : [];
  // A feature of the same name may have a spec already.
  const spec = specFor(project, [dashed(name), `${dashed(name)}-${kind}`], piece);
  return [...changed, ...besideOf(project, feature, piece), ...others, spec];
}

/** What is inserted into the feature and, for an extension, into the file of the server, which can be the same file. */
function changesIn(project: ReadProject, feature: FeatureClass, piece: Piece): readonly FileInsertions[] {
  const { file } = project.server;
  const inServer = piece.extension ? addExtension(project, piece.extension) : [];
  const isOneFile = file === feature.file;
  if (!isOneFile || !piece.extension || inServer.length === 0)
    return [
      { file: feature.file, insertions: insertionsFor(project, feature, piece) },
      ...(inServer.length > 0 ? [{ file, insertions: inServer }] : []),
    ];
  // One import for both.
  const { module, name } = piece.extension;
  const names = [...(piece.imports[module] ?? []), name];
  const all = { ...piece, imports: { ...piece.imports, [module]: names } };
  return [{ file, insertions: [...insertionsFor(project, feature, all), ...inServer.slice(-1)] }];
}

function changeOf({ compiler, folder }: ReadProject, { file, insertions }: FileInsertions): FileChange {
  const text = insertInto(file.text, insertions);
  checkParses(compiler, text, shownPath(folder, file.path));
  return { path: file.path, text };
}

function besideOf({ folder }: ReadProject, { file }: FeatureClass, { beside }: Piece): readonly FileChange[] {
  if (!beside) return [];
  const path = join(dirname(file.path), beside.name);
  if (existsSync(path)) throw failure('SIGIL_ADD_FILE_TAKEN', { file: shownPath(folder, path) });
  return [{ path, text: beside.text }];
}

function checkName(kind: PieceKind, name: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== 'constructor') return;
  const near = joined(name.replace(/^[^A-Za-z]+/, ''));
  const proposal =
    /^[A-Za-z]/.test(near) && near !== 'constructor' ? near : `my${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  throw wrongUsage('SIGIL_ADD_METHOD_NAME', { name, proposal });
}

function checkIsNew({ features, folder }: ReadProject, feature: FeatureClass, name: string): void {
  const inOrder = [feature, ...features.filter((each) => each !== feature)];
  for (const { node, file, name: owner } of inOrder) {
    const found = node.members.find((member) => member.name?.getText().replace(/^['"]|['"]$/g, '') === name);
    if (!found) continue;
    const { line } = file.tree.getLineAndCharacterOfPosition(found.name?.getStart() ?? found.getStart());
    const place = `${shownPath(folder, file.path)}:${line + 1}`;
    throw failure('SIGIL_ADD_METHOD_TAKEN', { owner, name, place });
  }
}

/** The scheme of a feature's URIs: `NotesFeature` -> `notes`. */
function schemeOf({ name }: FeatureClass): string {
  return dashed(name.replace(/Feature$/, '') || name);
}

function insertionsFor({ compiler }: ReadProject, feature: FeatureClass, piece: Piece): Insertion[] {
  const { file, node } = feature;
  const imports = Object.entries(piece.imports).flatMap(([module, names]) => addImports(compiler, file, module, names));
  const names = namesIn(compiler, file, piece);
  const { lineEnd } = file.style;
  const input: Insertion[] = [];
  if (piece.input) {
    checkIsFree(file, piece.input.name);
    const at = node.getStart(file.tree, true);
    input.push({ at, text: `${inStyle(renamed(piece.input.code, names), file.style)}${lineEnd}${lineEnd}` });
  }
  return [...imports, ...input, methodInto(compiler, feature, renamed(piece.method, names))];
}

/** The names that the code needs, as this file imports them. */
function namesIn(compiler: ReadProject['compiler'], { tree }: SourceFile, { imports }: Piece): Map<string, string> {
  const needed = Object.entries(imports).flatMap(([module, names]) => names.map((name) => ({ module, name })));
  return new Map(needed.map(({ module, name }) => [name, importedName(compiler, tree, module, name) ?? name]));
}

function methodInto(compiler: ReadProject['compiler'], { file, node }: FeatureClass, method: string): Insertion {
  const { style, text } = file;
  const outer = indentationAt(text, node.getStart());
  const code = inStyle(method, style)
    .split(style.lineEnd)
    .map((line) => (line === '' ? line : outer + style.indentation + line))
    .join(style.lineEnd);
  const last = node.members.at(-1);
  const at = last ? endOfMember(compiler, text, last) : node.members.pos;
  // One empty line between methods, and the closing brace on its own line.
  const before = last ? style.lineEnd.repeat(2) : style.lineEnd;
  const after = /^[ \t]*\r?\n/.test(text.slice(at)) ? '' : style.lineEnd + outer;
  return { at, text: `${before}${code}${after}` };
}

function endOfMember(compiler: ReadProject['compiler'], text: string, member: TypeScript.ClassElement): number {
  const comments = compiler.getTrailingCommentRanges(text, member.getEnd()) ?? [];
  return comments.at(-1)?.end ?? member.getEnd();
}

function indentationAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position);
  return /^[ \t]*$/.test(line) ? line : '';
}
