/** What the compiler cannot keep for run time: classes that are imported as types only. */
import type * as TypeScript from 'typescript';
import type { Check, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';

/** Checks that classes in decorated signatures are imported as values. */
export const typeImports: Check = {
  title: 'Classes in decorated signatures are imported as values',
  find: (setup) => ownFiles(setup).flatMap((file) => erasedClasses(setup, file)),
};

function erasedClasses(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const { compiler } = setup;
  // The checker ties the nodes of every tree to their parents.
  setup.program.getTypeChecker();
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isClassDeclaration(node)) {
      for (const type of emittedTypes(setup, node)) findings.push(...erasure(setup, type));
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** The types that the compiler would write down: of parameters of decorated members and constructors, of decorated properties. */
function emittedTypes({ compiler }: ReadSetup, node: TypeScript.ClassDeclaration): TypeScript.TypeNode[] {
  const isDecorated = (each: TypeScript.Node): boolean =>
    compiler.canHaveDecorators(each) && (compiler.getDecorators(each) ?? []).length > 0;
  return node.members.flatMap((member): TypeScript.TypeNode[] => {
    if (compiler.isConstructorDeclaration(member) && isDecorated(node)) {
      return member.parameters.flatMap(({ type }) => type ?? []);
    }
    // A class that is stated in the options needs no type.
    if (compiler.isMethodDeclaration(member) && isDecorated(member) && !statesInput(compiler, member)) {
      return member.parameters.flatMap(({ type }) => type ?? []);
    }
    return compiler.isPropertyDeclaration(member) && isDecorated(member) && member.type ? [member.type] : [];
  });
}

function statesInput(compiler: ReadSetup['compiler'], member: TypeScript.MethodDeclaration): boolean {
  return (compiler.getDecorators(member) ?? []).some((each) =>
    /[{,]\s*input\s*[:,}]/.test(each.getText(each.getSourceFile())),
  );
}

function erasure(setup: ReadSetup, type: TypeScript.TypeNode): Finding[] {
  const { compiler, program } = setup;
  const written = withoutNothing(compiler, type);
  if (!written || !compiler.isTypeReferenceNode(written)) return [];
  const checker = program.getTypeChecker();
  const declared = checker
    .getSymbolAtLocation(leftmost(compiler, written.typeName))
    ?.declarations?.find((each) => isTypeOnly(compiler, each));
  const symbol = checker.getSymbolAtLocation(written.typeName);
  if (!symbol || !declared) return [];
  const target = (symbol.flags & compiler.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  if ((target.flags & compiler.SymbolFlags.Class) === 0) return [];
  return [
    {
      what: `${positionOf(setup, type)} needs the class ${written.typeName.getText()}, which is imported as a type only.`,
      mend: `Import it without the word type, in ${positionOf(setup, declared)}.`,
    },
  ];
}

/** `Note | undefined` is written down as `Note`, and any other union as no class. */
function withoutNothing(compiler: ReadSetup['compiler'], type: TypeScript.TypeNode): TypeScript.TypeNode | undefined {
  if (compiler.isParenthesizedTypeNode(type)) return withoutNothing(compiler, type.type);
  if (!compiler.isUnionTypeNode(type)) return type;
  const [first, second] = type.types.filter((each) => !/^(undefined|null|never)$/.test(each.getText()));
  return first && !second ? withoutNothing(compiler, first) : undefined;
}

/** The first name of a dotted one: `N` of `N.Note`. */
function leftmost(compiler: ReadSetup['compiler'], name: TypeScript.EntityName): TypeScript.Identifier {
  return compiler.isIdentifier(name) ? name : leftmost(compiler, name.left);
}

function isTypeOnly(compiler: ReadSetup['compiler'], node: TypeScript.Declaration): boolean {
  if (compiler.isImportClause(node)) return node.phaseModifier === compiler.SyntaxKind.TypeKeyword;
  if (compiler.isNamespaceImport(node)) return isTypeOnly(compiler, node.parent);
  return compiler.isImportSpecifier(node) && (node.isTypeOnly || isTypeOnly(compiler, node.parent.parent));
}
