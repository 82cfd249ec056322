/** `sigil add feature`, and `sigil add tool|resource|prompt|view`: a feature or a member of one, what belongs to it, and its spec. */
import { dirname, join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/find-project';
import { checkIsFree, ownLine } from './add-imports';
import { chooseFeature } from './add-skill';
import { inStyle } from './code-style';
import { capitalised, dashed, joined, pieceOf, renamed, writtenCode, type Piece, type PieceKind } from './pieces';
import { ProjectEdits } from './project-edits';
import type { FeatureClass, ReadProject } from './read-project';
import type { FileChange, Insertion } from './source-file';
import { importsCompiled, specFor, wayTo } from './write-spec';

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

/** Adds a class in its own file, which the server registers. @throws CliFailure if the feature cannot be added */
export function addFeature(project: ReadProject, name: string): readonly FileChange[] {
  const plain = joined(name).replace(/[Ff]eature$/, '');
  if (!/^[A-Za-z]/.test(plain) || /[^\w-]/.test(name)) throw wrongUsage('SIGIL_ADD_CLASS_NAME', { name });
  const { server, features, folder, esm } = project;
  const { file } = server;
  const className = `${capitalised(plain)}Feature`;
  const same = features.find((each) => each.name === className);
  if (same) throw failure('SIGIL_ADD_CLASS_TAKEN', { name: className, place: shownPath(folder, same.file.path) });
  // The ending that the project gives to files of features.
  const ending = features.some((each) => each.file.path.endsWith('-feature.ts')) ? '-feature' : '.feature';
  const path = join(dirname(file.path), `${dashed(plain)}${ending}.ts`);
  const written = writtenCode('feature', plain);
  const edits = new ProjectEdits(project);
  edits.create(path, inStyle(`${written.code}\n`, file.style));
  edits.import(file, wayTo(dirname(file.path), path, esm || importsCompiled(file.text)), className);
  edits.enter('features', className, failure('SIGIL_ADD_NO_LIST', { file: shownPath(folder, file.path) }));
  edits.add(specFor(project, [dashed(plain), `${dashed(plain)}-feature`], written));
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
