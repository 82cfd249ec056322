/** The local name of an import: the same name, an alias, or a member of a namespace. */
import type * as TypeScript from 'typescript';
import type { Compiler } from '../project/load-typescript';

/**
 * @param name that the module exports
 * @returns how this file refers to it: `Tool`, `T` after `{ Tool as T }`, `sigil.Tool` after `* as sigil`; undefined if
 *   it is not imported, or only as a type
 */
export function importedName(
  compiler: Compiler,
  tree: TypeScript.SourceFile,
  module: string,
  name: string,
): string | undefined {
  const bindings = tree.statements
    .filter((each) => compiler.isImportDeclaration(each))
    .filter((each) => moduleOf(compiler, each) === module)
    .flatMap((each) => valueBindings(compiler, each) ?? []);
  for (const binding of bindings.filter((each) => compiler.isNamedImports(each))) {
    const element = binding.elements.find((each) => !each.isTypeOnly && (each.propertyName ?? each.name).text === name);
    if (element) return element.name.text;
  }
  const namespace = bindings.find((each) => compiler.isNamespaceImport(each));
  return namespace && `${namespace.name.text}.${name}`;
}

/** @returns the bindings of an import, unless it imports only types or nothing */
export function valueBindings(
  compiler: Compiler,
  { importClause }: TypeScript.ImportDeclaration,
): TypeScript.NamedImportBindings | undefined {
  return importClause?.phaseModifier === compiler.SyntaxKind.TypeKeyword ? undefined : importClause?.namedBindings;
}

/** @returns the module of an import */
export function moduleOf(compiler: Compiler, { moduleSpecifier }: TypeScript.ImportDeclaration): string | undefined {
  return compiler.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}
