/** The checks of `sigil doctor`, in the order of the report, and their results. */
import type * as TypeScript from 'typescript';
import { isPlaceholder } from '../placeholder';
import { belowGuard, GUARD, STDIO } from './check-below-guard';
import { clientSettings } from './check-client-settings';
import { flattenedTypes, importedTypes, vagueProperties } from './check-properties';
import { compilerSettings, metadataRunners } from './check-settings';
import { circularImports, typeImports } from './check-signatures';
import { fittingVersions, nodeVersion, oneCopy, ownEngines } from './check-versions';
import type { Finding, ProjectCheck, ReadSetup } from './read-setup';

/** Checks that a program which serves over stdio keeps stdout for the protocol. */
const stdioGuard: ProjectCheck = {
  title: 'Programs that serve over stdio keep stdout for the protocol',
  *find(setup) {
    const { compiler } = setup;
    for (const { statements } of setup.files) {
      const imports = (each: TypeScript.Statement, module: string): boolean => moduleOf(compiler, each) === module;
      const first = statements.find((each) => mayPrint(compiler, each));
      if (!first || imports(first, GUARD) || !statements.some((each) => imports(each, STDIO))) continue;
      if (statements.some((each) => imports(each, GUARD)))
        yield {
          problem: `${setup.positionOf(first)} runs before the guard of stdout, so its output goes to the client.`,
          fix: `Put import '${GUARD}'; above it.`,
        };
      else
        yield {
          problem: `${setup.positionOf(first)} serves over stdio, but does not begin with the guard of stdout.`,
          fix: `Make import '${GUARD}'; its first line.`,
        };
    }
  },
};

/** Checks that no description begins with TODO. */
const placeholders: ProjectCheck = {
  title: 'Descriptions are written',
  *find(setup) {
    for (const node of setup.nodes()) {
      const text = descriptionOf(setup, node);
      if (text && isPlaceholder(text.text))
        yield {
          problem: `${setup.positionOf(text)}: the description is a placeholder: "${text.text}".`,
          fix: 'Write what a model should read instead of the TODO.',
        };
    }
  },
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
  return CHECKS.map((check) => ({ title: check.title, findings: [...check.find(setup)] }));
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

/** The text of `@Tool('...')`, `@Describe('...')` and of `description: '...'`. */
function descriptionOf({ compiler }: ReadSetup, node: TypeScript.Node): TypeScript.StringLiteralLike | undefined {
  const isMember = compiler.isPropertyAssignment(node) && node.name.getText() === 'description';
  const isCall = compiler.isDecorator(node) && compiler.isCallExpression(node.expression);
  const text = isMember ? node.initializer : isCall ? node.expression.arguments[0] : undefined;
  return text && compiler.isStringLiteralLike(text) ? text : undefined;
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
