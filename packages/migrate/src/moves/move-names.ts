/** Names of the old package that stand outside of decorators: types of contexts and requests, and everything that has no counterpart. */
import type * as TypeScript from 'typescript';
import { importsFrom, isMemberName, isWhole } from '../files/imported-names';
import { markMembers, moveContext } from './move-context';
import type { MovedFile } from '../files/moved-file';
import { nodesIn } from '../files/syntax';

const FALLBACK = 'It has no counterpart of the same name.';

/** Moves types, and the contexts of all functions that have one. */
export function moveTypes(file: MovedFile): void {
  const { compiler, old } = file;
  for (const node of nodesIn(file, file.tree, compiler.isTypeReferenceNode)) {
    const now = file.from.types[old.exportedOf(node.typeName) ?? ''];
    if (!now) continue;
    file.handled.add(node.typeName);
    // Within code that was replaced already, nothing is left of it.
    if (file.edits.outside(node.getStart()) !== node.getStart()) continue;
    const local = file.want(...now);
    if (local !== node.typeName.getText()) file.replace(node.typeName, local);
    const isContext = now[1] === 'McpContext';
    const { parent } = node;
    if (!isContext || !compiler.isParameter(parent) || !compiler.isFunctionLike(parent.parent)) continue;
    if (!compiler.isIdentifier(parent.name)) markMembers(file, parent);
    else moveContext(file, parent.parent as TypeScript.FunctionLikeDeclaration, parent.name.getText());
  }
}

/** Moves classes with a counterpart that are used as values. */
export function moveValues(file: MovedFile): void {
  const { compiler, old, from } = file;
  for (const node of nodesIn(file, file.tree, compiler.isIdentifier)) {
    const now = from.values?.[old.exportedOf(node) ?? ''];
    if (!now || file.handled.has(node) || compiler.isImportSpecifier(node.parent) || isMemberName(compiler, node))
      continue;
    file.handled.add(node);
    const local = file.want(...now);
    if (local !== node.text) file.replace(node, local);
    file.todo(node, `${now[1]} is that of ${now[0]} now: compare what you read of it.`, from.guide);
  }
}

/** Comments on every use that is left. */
export function commentOnTheRest(file: MovedFile): void {
  const { compiler, old, from } = file;
  for (const node of nodesIn(file, file.tree, compiler.isIdentifier)) {
    const own = old.exportedOf(node);
    if (own === undefined || file.handled.has(node) || file.handled.has(node.parent) || isMemberName(compiler, node))
      continue;
    if (isImported(file, node.parent) || from.kept?.includes(own)) continue;
    const name = (isWhole(own) ? old.exportedOf(node.parent) : own) ?? node.text;
    const [reason, page] = from.left[name] ?? [FALLBACK, from.guide];
    file.todo(node, `${name}: ${reason}`, page);
  }
  for (const node of nodesIn(file, file.tree, (each) => compiler.isStringLiteralLike(each))) markLoaded(file, node);
}

function isImported({ compiler }: MovedFile, parent: TypeScript.Node): boolean {
  return compiler.isImportSpecifier(parent) || compiler.isNamespaceImport(parent) || compiler.isImportClause(parent);
}

/** Marks where the old package is named other than in an import: it is exported from, loaded in a call, or named in a type. */
function markLoaded(file: MovedFile, node: TypeScript.StringLiteralLike): void {
  const { compiler, from } = file;
  const isOld = node.text === from.package || node.text.startsWith(`${from.package}/`);
  if (!isOld || compiler.isImportDeclaration(node.parent)) return;
  const reason = compiler.isExportDeclaration(node.parent)
    ? `Files that import these names from here are not moved: import them from ${from.package} there, and run the command again.`
    : `What comes from ${from.package} here is not moved.`;
  file.todo(node, reason, from.guide);
}

/** Whether the file names something that stays with the authorization server of the old package. */
export function keeps(file: MovedFile): readonly string[] {
  return file.old.locals.filter((local) => {
    const name = importsFrom(file.compiler, file.tree, file.from.package)
      .declarations.flatMap(({ importClause }) => importClause?.namedBindings ?? [])
      .filter((each) => file.compiler.isNamedImports(each))
      .flatMap(({ elements }) => [...elements])
      .find((each) => each.name.text === local);
    return name !== undefined && file.from.kept?.includes((name.propertyName ?? name.name).text);
  });
}
