/** The checks of `sigil doctor`, in the order of the report, and their results. */
import type { ProjectCheck, Finding } from './check';
import { belowGuard, GUARD, STDIO } from './check-below-guard';
import { circularImports, leftmost, classOf, emittedTypes, type EmittedType } from './check-circular-imports';
import { clientSettings } from './check-client-settings';
import { flattenedTypes } from './check-flattened-types';
import { compilerSettings, metadataRunners } from './check-settings';
import { vagueProperties } from './check-vague-properties';
import { fittingVersions, nodeVersion, oneCopy, ownEngines } from './check-versions';
import type { ReadSetup } from './read-setup';
import type * as TypeScript from 'typescript';
import { isPlaceholder } from '../placeholder';
import { ownFiles, positionOf } from './own-sources';
import { isPlain, nameOf, silentProperties } from './silent-properties';

/** Checks that a program which serves over stdio keeps stdout for the protocol. */
const stdioGuard: ProjectCheck = {
  title: 'Programs that serve over stdio keep stdout for the protocol',
  find: (setup) => {
    // The checker sets the parents of all nodes.
    setup.program.getTypeChecker();
    return ownFiles(setup).flatMap((file) => unguarded(setup, file));
  },
};

/** Checks that classes in decorated signatures are imported as values. */
const typeImports: ProjectCheck = {
  title: 'Classes in decorated signatures are imported as values',
  find: (setup) => ownFiles(setup).flatMap((file) => erasedClasses(setup, file)),
};

/** Checks that tests and the build read the same types. */
const importedTypes: ProjectCheck = {
  title: 'Tests read the types that the build reads',
  find: (setup) => silentProperties(setup).flatMap((member) => findingsOf(setup, member)),
};

/** Checks that no description begins with TODO. */
const placeholders: ProjectCheck = {
  title: 'Descriptions are written',
  find: (setup) => ownFiles(setup).flatMap((file) => findIn(setup, file)),
};

/** Every check. */
const CHECKS: readonly ProjectCheck[] = [
  nodeVersion,
  ownEngines,
  compilerSettings,
  typeImports,
  circularImports,
  vagueProperties,
  placeholders,
  importedTypes,
  flattenedTypes,
  stdioGuard,
  belowGuard,
  clientSettings,
  metadataRunners,
  oneCopy,
  fittingVersions,
];

/** A check, and its findings. */
export interface Examined {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Runs every check. */
export function examine(setup: ReadSetup): readonly Examined[] {
  return CHECKS.map((check) => ({ title: check.title, findings: check.find(setup) }));
}

/** @returns the list for users */
export function describeExamined(examined: readonly Examined[]): string {
  const lines = examined.flatMap(({ title, findings }) => [
    `${findings.length === 0 ? '✓' : '✗'} ${title}`,
    ...findings.flatMap(({ problem, fix }) => [`    ${problem}`, `    → ${fix}`]),
  ]);
  const count = examined.reduce((sum, { findings }) => sum + findings.length, 0);
  const verdict = count === 0 ? 'No problems found.' : `${count} ${count === 1 ? 'thing' : 'things'} to fix.`;
  return `${lines.join('\n')}\n\n${verdict}\n`;
}

function findIn(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    const text = descriptionOf(setup, node);
    if (text && isPlaceholder(text.text)) {
      findings.push({
        problem: `${positionOf(setup, text)}: the description is a placeholder: "${text.text}".`,
        fix: 'Write what a model should read instead of the TODO.',
      });
    }
    setup.compiler.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** The text of `@Tool('...')`, `@Describe('...')` and of `description: '...'`. */
function descriptionOf({ compiler }: ReadSetup, node: TypeScript.Node): TypeScript.StringLiteralLike | undefined {
  const isMember = compiler.isPropertyAssignment(node) && node.name.getText() === 'description';
  const isCall = compiler.isDecorator(node) && compiler.isCallExpression(node.expression);
  const text = isMember ? node.initializer : isCall ? node.expression.arguments[0] : undefined;
  return text && compiler.isStringLiteralLike(text) ? text : undefined;
}

function findingsOf(setup: ReadSetup, member: TypeScript.PropertyDeclaration): Finding[] {
  const { type } = member;
  if (!type || !isPlain(setup, type)) return [];
  const imported = importedIn(setup, type);
  if (!imported) return [];
  return [
    {
      problem: `${positionOf(setup, member)}: ${nameOf(setup, member)} has no other description than the imported type ${imported.getText()}. The build knows the type, but jest compiles each file alone (isolatedModules) and accepts any value.`,
      fix: 'Declare its type with a decorator, such as @IsString(), @IsInt() or @IsEnum(TheEnum).',
    },
  ];
}

/** The first imported name in a type. */
function importedIn({ compiler, program }: ReadSetup, type: TypeScript.TypeNode): TypeScript.EntityName | undefined {
  const checker = program.getTypeChecker();
  const visit = (node: TypeScript.Node): TypeScript.EntityName | undefined => {
    if (compiler.isTypeReferenceNode(node)) {
      const first = leftmost(compiler, node.typeName);
      const flags = checker.getSymbolAtLocation(first)?.flags ?? 0;
      if ((flags & compiler.SymbolFlags.Alias) !== 0) return node.typeName;
    }
    return compiler.forEachChild(node, visit);
  };
  return visit(type);
}

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
