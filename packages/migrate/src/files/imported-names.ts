/** What a file imports from a module, types included. */
import type * as TypeScript from 'typescript';
import { sources, type Compiler } from '@sigil-mcp/cli/kit';

/** The names of one module in one file. */
export interface ImportedNames {
  readonly declarations: readonly TypeScript.ImportDeclaration[];
  /** The names as the file calls them. */
  readonly locals: readonly string[];
  /** How the file calls an exported name; undefined if it does not import it. */
  localOf(name: string): string | undefined;
  /** The exported name behind an expression, such as `Tool` for `T` after `Tool as T`, and for `mcp.Tool`; undefined for anything else. */
  exportedOf(node: TypeScript.Node | undefined): string | undefined;
}

/** Reads the imports of a module, or of a file of it. */
export function importsFrom(compiler: Compiler, tree: TypeScript.SourceFile, module: string): ImportedNames {
  const declarations = tree.statements
    .filter((each) => compiler.isImportDeclaration(each))
    .filter((each) => isFrom(sources.moduleOf(compiler, each), module));
  const byLocal = new Map<string, string>();
  for (const { importClause } of declarations) {
    const bindings = importClause?.namedBindings;
    if (importClause?.name) byLocal.set(importClause.name.text, 'default');
    if (bindings && compiler.isNamespaceImport(bindings)) byLocal.set(bindings.name.text, '*');
    if (!bindings || !compiler.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) byLocal.set(name.text, (propertyName ?? name).text);
  }
  return {
    declarations,
    locals: [...byLocal.keys()],
    localOf: (name) => [...byLocal].find(([, exported]) => exported === name)?.[0],
    exportedOf(node) {
      if (!node) return undefined;
      if (compiler.isIdentifier(node)) return byLocal.get(node.text);
      const [whole, member] = partsOf(compiler, node);
      return whole && isWhole(byLocal.get(whole.text)) ? member?.text : undefined;
    },
  };
}

/** Whether an exported name stands for the module itself: after `import * as mcp`, and `import mcp`. */
export function isWhole(exported: string | undefined): boolean {
  return exported === '*' || exported === 'default';
}

/** `mcp` and `Tool` of `mcp.Tool`, as a value or a type. */
function partsOf(compiler: Compiler, node: TypeScript.Node): TypeScript.Identifier[] {
  const parts = compiler.isPropertyAccessExpression(node)
    ? [node.expression, node.name]
    : compiler.isQualifiedName(node)
      ? [node.left, node.right]
      : [];
  return parts.filter((each) => compiler.isIdentifier(each));
}

function isFrom(found: string | undefined, module: string): boolean {
  return found === module || found?.startsWith(`${module}/`) === true;
}

/** Whether a name is that of a member, which means nothing by itself. */
export function isMemberName(compiler: Compiler, node: TypeScript.Identifier): boolean {
  const { parent } = node;
  if (compiler.isPropertyAccessExpression(parent)) return parent.name === node;
  if (compiler.isQualifiedName(parent)) return parent.right === node;
  return compiler.isPropertyAssignment(parent) && parent.name === node;
}
