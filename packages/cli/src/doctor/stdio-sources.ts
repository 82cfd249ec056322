/** The sources that run in the process of a server over stdio. */
import type * as TypeScript from 'typescript';
import { ownFiles } from './own-sources';
import type { ReadSetup } from './read-setup';

/** The module with the stdio transport. */
export const STDIO = '@sigil-mcp/core/stdio';
/** The module that keeps stdout for the protocol. */
export const GUARD = '@sigil-mcp/core/stdio/guard';

/** @returns the project's files that serve over stdio, and all files that these import */
export function filesSpeakingStdio(setup: ReadSetup): TypeScript.SourceFile[] {
  const own = new Set(ownFiles(setup));
  const found = new Set<TypeScript.SourceFile>();
  const waiting = [...own].filter((file) => loaded(setup, file).some(({ text }) => text === STDIO || text === GUARD));
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const module of loaded(setup, file)) {
      const target = setup.program.getTypeChecker().getSymbolAtLocation(module)?.declarations?.[0]?.getSourceFile();
      if (target && own.has(target)) waiting.push(target);
    }
  }
  return [...own].filter((file) => found.has(file));
}

/** The modules that a file loads, as it names them, at its start or later. */
function loaded({ compiler }: ReadSetup, file: TypeScript.SourceFile): TypeScript.StringLiteral[] {
  const found: TypeScript.StringLiteral[] = [];
  const visit = (node: TypeScript.Node): void => {
    const module = specifierOf(compiler, node);
    if (module && compiler.isStringLiteral(module)) found.push(module);
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function specifierOf(compiler: ReadSetup['compiler'], node: TypeScript.Node): TypeScript.Node | undefined {
  if (compiler.isImportDeclaration(node) || compiler.isExportDeclaration(node)) return node.moduleSpecifier;
  if (compiler.isExternalModuleReference(node)) return node.expression;
  const isLoading =
    compiler.isCallExpression(node) &&
    (node.expression.kind === compiler.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  return isLoading ? node.arguments[0] : undefined;
}
