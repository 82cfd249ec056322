/** The first line of a program that speaks stdio: what is printed before the guard is there breaks the protocol. */
import type * as TypeScript from 'typescript';
import type { Check, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';
import { GUARD, STDIO } from './stdio-sources';

/** Checks that a program which speaks stdio keeps stdout for the protocol. */
export const stdioGuard: Check = {
  title: 'Programs that speak stdio keep stdout for the protocol',
  find: (setup) => {
    // The checker ties the nodes of every tree to their parents.
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
        what: `${positionOf(setup, first)} speaks stdio, and does not begin with the guard of stdout.`,
        fix: `Make import '${GUARD}'; its first line.`,
      },
    ];
  }
  return [
    {
      what: `${positionOf(setup, first)} runs before the guard of stdout, and what it prints goes to the client.`,
      fix: `Put import '${GUARD}'; above it.`,
    },
  ];
}

/** @returns the module that is loaded by an import; undefined for everything else, and for types */
function moduleOf(compiler: ReadSetup['compiler'], node: TypeScript.Statement): string | undefined {
  if (!compiler.isImportDeclaration(node) || !compiler.isStringLiteral(node.moduleSpecifier)) return undefined;
  return isOnlyTypes(compiler, node) ? undefined : node.moduleSpecifier.text;
}

function isOnlyTypes(compiler: ReadSetup['compiler'], { importClause }: TypeScript.ImportDeclaration): boolean {
  return importClause?.phaseModifier === compiler.SyntaxKind.TypeKeyword;
}

/** Whether something other than ours runs: a module is loaded, or something is called. */
function mayPrint(compiler: ReadSetup['compiler'], statement: TypeScript.Statement): boolean {
  if (compiler.isImportDeclaration(statement)) return !isOnlyTypes(compiler, statement);
  if (compiler.isExportDeclaration(statement)) return !statement.isTypeOnly && statement.moduleSpecifier !== undefined;
  if (compiler.isImportEqualsDeclaration(statement)) return !statement.isTypeOnly;
  return calls(compiler, statement);
}

/** Whether a node calls something when its file is loaded; what stands in functions is called later, if at all. */
function calls(compiler: ReadSetup['compiler'], node: TypeScript.Node): boolean {
  if (compiler.isFunctionLike(node) || compiler.isTypeNode(node)) return false;
  if (compiler.isCallExpression(node) || compiler.isNewExpression(node)) return true;
  if (compiler.isTaggedTemplateExpression(node) || compiler.isAwaitExpression(node)) return true;
  return compiler.forEachChild(node, (child) => calls(compiler, child) || undefined) ?? false;
}
