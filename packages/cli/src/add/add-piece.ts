/** `sigil add tool|resource|prompt|view`: a member of a feature, what belongs to it, and its spec. */
import { dirname, join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/shown-path';
import { checkIsFree, ownLine } from './add-imports';
import { chooseFeature } from './add-skill';
import { inStyle } from './code-style';
import { dashed, joined, pieceOf, renamed, type Piece, type PieceKind } from './pieces';
import { ProjectEdits } from './project-edits';
import type { FeatureClass, ReadProject } from './read-project';
import type { Insertion } from './source-file';
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
  const edits = new ProjectEdits(project);
  insertInto(edits, feature, piece);
  if (piece.extension) edits.extend(piece.extension);
  if (piece.beside) edits.create(join(dirname(feature.file.path), piece.beside.name), piece.beside.text);
  if (piece.extension) edits.depend(piece.extension);
  // A feature of the same name may have a spec already.
  edits.add(specFor(project, [dashed(name), `${dashed(name)}-${kind}`], piece));
  return edits.changes();
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

function insertInto(edits: ProjectEdits, feature: FeatureClass, { imports, input, code }: Piece): void {
  const { file, node } = feature;
  const needed = Object.entries(imports).flatMap(([module, names]) => names.map((name) => ({ module, name })));
  // The names that the code needs, as this file imports them.
  const names = new Map(needed.map(({ module, name }) => [name, edits.import(file, module, name)]));
  const { lineEnd } = file.style;
  if (input) {
    checkIsFree(file, input.name);
    const at = node.getStart(file.tree, true);
    edits.insert(file, { at, text: `${inStyle(renamed(input.code, names), file.style)}${lineEnd}${lineEnd}` });
  }
  edits.insert(file, methodInto(edits.project.compiler, feature, renamed(code, names)));
}

function methodInto(compiler: ReadProject['compiler'], { file, node }: FeatureClass, method: string): Insertion {
  const { style, text } = file;
  const outer = ownLine(file, node.getStart()) ?? '';
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
