/** What a file calls that which it imports: by its name, by another one, or through a namespace. */
import type * as TypeScript from 'typescript';
import type { Compiler } from '../project/load-typescript';

/**
 * @param name that the module exports
 * @returns how code of the file writes it: `Tool`, `T` after `{ Tool as T }`, `sigil.Tool` after `* as sigil`; undefined if
 *   it is not imported, or as a type only
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

/** @returns what an import names, unless that is types or nothing */
export function valueBindings(
  compiler: Compiler,
  { importClause }: TypeScript.ImportDeclaration,
): TypeScript.NamedImportBindings | undefined {
  return importClause?.phaseModifier === compiler.SyntaxKind.TypeKeyword ? undefined : importClause?.namedBindings;
}

/** @returns where an import is from */
export function moduleOf(compiler: Compiler, { moduleSpecifier }: TypeScript.ImportDeclaration): string | undefined {
  return compiler.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}
