/** What says too little: properties of which decorators say that they are there, but neither they nor the compiler say what they are. */
import type * as TypeScript from 'typescript';
import { wordsFor, type ErrorWords } from '@sigil-mcp/core/adapter';
import type { Check, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';

/** Decorators that say nothing of the type of a value, or of what a list holds. One that is not here may say it. */
const SILENT: ReadonlySet<string> = new Set([
  'IsOptional', 'IsDefined', 'IsNotEmpty', 'ValidateIf', 'IsArray', 'ArrayNotEmpty', 'ArrayMinSize', 'ArrayMaxSize', 'ArrayUnique',
  'Describe', 'Title', 'Nullable', 'McpHeader', 'Expose', 'ApiProperty', 'ApiPropertyOptional', 'ApiHideProperty',
]); // prettier-ignore

/** Whose decorators make a property an argument or a result. */
const LIBRARIES: ReadonlySet<string> = new Set(['class-validator', '@sigil-mcp/core']);

/** Checks that a model is told what to send. */
export const vagueProperties: Check = {
  title: 'Properties say what they hold',
  find: (setup) => ownFiles(setup).flatMap((file) => vagueIn(setup, file)),
};

function vagueIn(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const { compiler } = setup;
  const silent = silentNames(compiler, file);
  // The checker ties the nodes of every tree to their parents.
  setup.program.getTypeChecker();
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isClassDeclaration(node)) {
      for (const member of node.members) {
        if (!compiler.isPropertyDeclaration(member) || !isSilent(compiler, member, silent)) continue;
        findings.push(...findingsOf(setup, member));
      }
    }
    compiler.forEachChild(node, visit);
  };
  if (silent.size > 0) visit(file);
  return findings;
}

/** The local names of the silent decorators that a file imports from the libraries. */
function silentNames(compiler: ReadSetup['compiler'], file: TypeScript.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (!compiler.isImportDeclaration(statement) || !compiler.isStringLiteral(statement.moduleSpecifier)) continue;
    if (!LIBRARIES.has(statement.moduleSpecifier.text)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !compiler.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements)
      if (SILENT.has((propertyName ?? name).text)) names.add(name.text);
  }
  return names;
}

/** Whether all decorators of a property are silent, and one of them is of the libraries. */
function isSilent(
  compiler: ReadSetup['compiler'],
  member: TypeScript.PropertyDeclaration,
  known: ReadonlySet<string>,
): boolean {
  const names = (compiler.getDecorators(member) ?? []).map(({ expression }) => {
    const called = compiler.isCallExpression(expression) ? expression.expression : expression;
    return compiler.isIdentifier(called) ? called.text : '';
  });
  return names.some((name) => known.has(name)) && names.every((name) => known.has(name) || SILENT.has(name));
}

/** What is said of a property that says too little; the compiler writes down nothing of its type, `Array` and the like, or a class. */
function wordsOf(setup: ReadSetup, node: TypeScript.TypeNode, property: string): ErrorWords | undefined {
  const { compiler } = setup;
  const name = compiler.isTypeReferenceNode(node) ? node.typeName.getText() : '';
  // The types of the language are not loaded, but their names are known.
  if (name === 'Date') return undefined;
  if (isList(compiler, node) || LISTS.has(name)) return wordsFor('SIGIL_DTO_ANY_ITEMS', { property });
  const type = setup.program.getTypeChecker().getTypeFromTypeNode(node);
  const { StringLike, NumberLike, BooleanLike } = compiler.TypeFlags;
  const parts = type.isUnion() ? type.types : [type];
  const isSaid = [StringLike, NumberLike, BooleanLike].some((flag) => parts.every((each) => (each.flags & flag) !== 0));
  if (isSaid) return undefined;
  if (!type.isClass()) return wordsFor('SIGIL_DTO_ANY_VALUE', { property });
  return isWithoutRules(compiler, type) ? wordsFor('SIGIL_DTO_ANY_MEMBERS', { property, type: name }) : undefined;
}

const LISTS: ReadonlySet<string> = new Set(['Array', 'ReadonlyArray', 'Set', 'Map']);

function isList(compiler: ReadSetup['compiler'], node: TypeScript.TypeNode): boolean {
  if (compiler.isTypeOperatorNode(node) || compiler.isParenthesizedTypeNode(node)) return isList(compiler, node.type);
  return compiler.isArrayTypeNode(node) || compiler.isTupleTypeNode(node);
}

/** Whether no property of a class of the project is decorated; of one that extends another, nobody knows. */
function isWithoutRules(compiler: ReadSetup['compiler'], type: TypeScript.Type): boolean {
  const declaration = type.getSymbol()?.valueDeclaration;
  if (!declaration || !compiler.isClassDeclaration(declaration)) return false;
  if (declaration.getSourceFile().isDeclarationFile || declaration.heritageClauses) return false;
  return declaration.members.every(
    (member) => !compiler.canHaveDecorators(member) || (compiler.getDecorators(member) ?? []).length === 0,
  );
}

function findingsOf(setup: ReadSetup, member: TypeScript.PropertyDeclaration): Finding[] {
  const { parent, type } = member;
  const owner = (setup.compiler.isClassDeclaration(parent) && parent.name?.text) || 'An anonymous class';
  const words = type && wordsOf(setup, type, `${owner}.${member.name.getText()}`);
  return words ? [{ what: `${positionOf(setup, member)}: ${words.what}`, mend: words.mend }] : [];
}
