/** Classes that are imported as types only, which the compiler cannot keep for run time. */
import type * as TypeScript from 'typescript';
import type { ProjectCheck, Finding } from './check';
import { classOf, emittedTypes, leftmost, type EmittedType } from './emitted-types';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';

/** Checks that classes in decorated signatures are imported as values. */
export const typeImports: ProjectCheck = {
  title: 'Classes in decorated signatures are imported as values',
  find: (setup) => ownFiles(setup).flatMap((file) => erasedClasses(setup, file)),
};

function erasedClasses(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const { compiler } = setup;
  // The checker sets the parents of all nodes.
  setup.program.getTypeChecker();
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isClassDeclaration(node)) {
      const read = emittedTypes(setup, node).filter((each) => isRead(compiler, each));
      for (const { type } of read) findings.push(...erasure(setup, type));
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** Whether Sigil reads a type: it does not read return types, nor parameters whose class is in the options. */
function isRead(compiler: ReadSetup['compiler'], { member, isReturned }: EmittedType): boolean {
  if (!compiler.isMethodDeclaration(member)) return true;
  const decorators = compiler.getDecorators(member) ?? [];
  const isStated = decorators.some((each) => /[{,]\s*input\s*[:,}]/.test(each.getText(each.getSourceFile())));
  return !isReturned && !isStated;
}

function erasure(setup: ReadSetup, type: TypeScript.TypeReferenceNode): Finding[] {
  const { compiler, program } = setup;
  const declared = program
    .getTypeChecker()
    .getSymbolAtLocation(leftmost(compiler, type.typeName))
    ?.declarations?.find((each) => isTypeOnly(compiler, each));
  if (!declared || !classOf(setup, type)) return [];
  return [
    {
      problem: `${positionOf(setup, type)} needs the class ${type.typeName.getText()}, which is imported as a type only.`,
      fix: `Import it without the word type, in ${positionOf(setup, declared)}.`,
    },
  ];
}

function isTypeOnly(compiler: ReadSetup['compiler'], node: TypeScript.Declaration): boolean {
  if (compiler.isImportClause(node)) return node.phaseModifier === compiler.SyntaxKind.TypeKeyword;
  if (compiler.isNamespaceImport(node)) return isTypeOnly(compiler, node.parent);
  return compiler.isImportSpecifier(node) && (node.isTypeOnly || isTypeOnly(compiler, node.parent.parent));
}
