/** The sources: what the compiler cannot keep, and the first line of a program that speaks stdio. */
import { relative, sep } from 'node:path';
import type * as TypeScript from 'typescript';
import type { Check, Finding } from './check';
import type { ReadSetup } from './read-setup';

const STDIO = '@sigil-mcp/core/stdio';
const GUARD = '@sigil-mcp/core/stdio/guard';

/** Classes in decorated signatures are imported as values. */
export const typeImports: Check = {
  title: 'Classes in decorated signatures are imported as values',
  find: (setup) => ownFiles(setup).flatMap((file) => erasedClasses(setup, file)),
};

/** A program that speaks stdio keeps stdout for the protocol. */
export const stdioGuard: Check = {
  title: 'Whatever speaks stdio keeps stdout for the protocol',
  find: (setup) =>
    ownFiles(setup).flatMap((file): Finding[] => {
      const modules = importsOf(setup, file);
      if (!modules.includes(STDIO) || modules[0] === GUARD) return [];
      return [
        {
          what: `${place(setup, file, file.statements[0])} speaks stdio, and does not begin with the guard of stdout.`,
          mend: `Make import '${GUARD}'; its first line.`,
        },
      ];
    }),
};

function ownFiles({ program }: ReadSetup): TypeScript.SourceFile[] {
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes('/node_modules/'));
}

function importsOf({ compiler }: ReadSetup, file: TypeScript.SourceFile): string[] {
  return file.statements.flatMap((each) =>
    compiler.isImportDeclaration(each) && compiler.isStringLiteral(each.moduleSpecifier)
      ? [each.moduleSpecifier.text]
      : [],
  );
}

function erasedClasses(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const { compiler } = setup;
  // The checker ties the nodes of every tree to their parents.
  setup.program.getTypeChecker();
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isClassDeclaration(node)) {
      for (const type of emittedTypes(setup, node)) findings.push(...erasure(setup, file, type));
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

function erasure(setup: ReadSetup, file: TypeScript.SourceFile, type: TypeScript.TypeNode): Finding[] {
  const { compiler, program } = setup;
  if (!compiler.isTypeReferenceNode(type) || !compiler.isIdentifier(type.typeName)) return [];
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(type.typeName);
  const declared = symbol?.declarations?.find(
    (each) => compiler.isImportSpecifier(each) || compiler.isImportClause(each),
  );
  if (!symbol || !declared || !isTypeOnly(compiler, declared)) return [];
  const target = checker.getAliasedSymbol(symbol);
  if ((target.flags & compiler.SymbolFlags.Class) === 0) return [];
  const name = type.typeName.text;
  return [
    {
      what: `${place(setup, file, type)} needs the class ${name}, which is imported as a type only.`,
      mend: `Import it without the word type, in ${place(setup, file, declared)}.`,
    },
  ];
}

function isTypeOnly(compiler: ReadSetup['compiler'], node: TypeScript.Declaration): boolean {
  if (compiler.isImportClause(node)) return node.phaseModifier === compiler.SyntaxKind.TypeKeyword;
  return compiler.isImportSpecifier(node) && (node.isTypeOnly || isTypeOnly(compiler, node.parent.parent));
}

/** `src/notes.feature.ts:12`. */
function place({ folder }: ReadSetup, file: TypeScript.SourceFile, node: TypeScript.Node | undefined): string {
  const { line } = file.getLineAndCharacterOfPosition(node?.getStart(file) ?? 0);
  return `${relative(folder, file.fileName).replaceAll(sep, '/')}:${line + 1}`;
}
