/** The first line of a program that serves over stdio: output before the guard breaks the protocol. */
import type * as TypeScript from 'typescript';
import type { ProjectCheck, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';
import { GUARD, STDIO } from './stdio-sources';

/** Checks that a program which serves over stdio keeps stdout for the protocol. */
export const stdioGuard: ProjectCheck = {
  title: 'Programs that serve over stdio keep stdout for the protocol',
  find: (setup) => {
    // The checker sets the parents of all nodes.
    setup.program.getTypeChecker();
    return ownFiles(setup).flatMap((file) => unguarded(setup, file));
  },
};

function unguarded(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const { compiler } = setup;
  const imports = (each: TypeScript.Statement, module: string): boolean => moduleOf(compiler, each) === module;
  if (!file.statements.some((each) => imports(each, STDIO))) return [];
  const first = file.statements.find((each) => mayPrint(compiler, each));
  if (!first || imports(first, GUARD)) return [];
  if (!file.statements.some((each) => imports(each, GUARD))) {
    return [
      {
        problem: `${positionOf(setup, first)} serves over stdio, but does not begin with the guard of stdout.`,
        fix: `Make import '${GUARD}'; its first line.`,
      },
    ];
  }
  return [
    {
      problem: `${positionOf(setup, first)} runs before the guard of stdout, so its output goes to the client.`,
      fix: `Put import '${GUARD}'; above it.`,
    },
  ];
}

/** @returns the module that an import loads; undefined for type imports and all other statements */
function moduleOf(compiler: ReadSetup['compiler'], node: TypeScript.Statement): string | undefined {
  if (!compiler.isImportDeclaration(node) || !compiler.isStringLiteral(node.moduleSpecifier)) return undefined;
  return isOnlyTypes(compiler, node) ? undefined : node.moduleSpecifier.text;
}

function isOnlyTypes(compiler: ReadSetup['compiler'], { importClause }: TypeScript.ImportDeclaration): boolean {
  return importClause?.phaseModifier === compiler.SyntaxKind.TypeKeyword;
}

/** Whether a statement runs foreign code: it loads a module, or calls a function. */
function mayPrint(compiler: ReadSetup['compiler'], statement: TypeScript.Statement): boolean {
  if (compiler.isImportDeclaration(statement)) return !isOnlyTypes(compiler, statement);
  if (compiler.isExportDeclaration(statement)) return !statement.isTypeOnly && statement.moduleSpecifier !== undefined;
  if (compiler.isImportEqualsDeclaration(statement)) return !statement.isTypeOnly;
  return calls(compiler, statement);
}

/** Whether a node calls something when its file is loaded; code in functions runs later, if at all. */
function calls(compiler: ReadSetup['compiler'], node: TypeScript.Node): boolean {
  if (compiler.isFunctionLike(node) || compiler.isTypeNode(node)) return false;
  if (compiler.isCallExpression(node) || compiler.isNewExpression(node)) return true;
  if (compiler.isTaggedTemplateExpression(node) || compiler.isAwaitExpression(node)) return true;
  return compiler.forEachChild(node, (child) => calls(compiler, child) || undefined) ?? false;
}
