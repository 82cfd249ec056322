/** Properties whose schema would say less than their authors think: of one without a type, of an imported type, of nested lists. */
import type * as TypeScript from 'typescript';
import type { ErrorWords } from '@sigil-mcp/base';
import { schemaWords } from '@sigil-mcp/schema/errors';
import { leftmost } from './check-signatures';
import type { ProjectCheck, ReadSetup } from './read-setup';

/** Decorators that specify neither the type of a value nor that of list items. All others may specify it. */
const SILENT: ReadonlySet<string> = new Set([
  'IsOptional', 'IsDefined', 'IsNotEmpty', 'ValidateIf', 'IsArray', 'ArrayNotEmpty', 'ArrayMinSize', 'ArrayMaxSize', 'ArrayUnique',
  'Describe', 'Title', 'Nullable', 'McpHeader', 'Expose', 'ApiProperty', 'ApiPropertyOptional', 'ApiHideProperty',
]); // prettier-ignore

/** The libraries whose decorators make a property an argument or a result. */
const LIBRARIES: ReadonlySet<string> = new Set(['class-validator', '@sigil-mcp/core']);

/** Checks that the schema specifies what a model has to send. */
export const vagueProperties: ProjectCheck = {
  title: 'Properties declare their types',
  *find(setup) {
    for (const member of silentProperties(setup)) {
      const words = member.type && vagueWords(setup, member.type, nameOf(setup, member));
      if (words) yield { problem: `${setup.positionOf(member)}: ${words.problem}`, fix: words.fix };
    }
  },
};

/** Checks that tests and the build read the same types. */
export const importedTypes: ProjectCheck = {
  title: 'Tests read the types that the build reads',
  *find(setup) {
    for (const member of silentProperties(setup)) {
      const imported = member.type && isPlain(setup, member.type) && importedIn(setup, member.type);
      if (imported)
        yield {
          problem: `${setup.positionOf(member)}: ${nameOf(setup, member)} has no other description than the imported type ${imported.getText()}. The build knows the type, but jest compiles each file alone (isolatedModules) and accepts any value.`,
          fix: 'Declare its type with a decorator, such as @IsString(), @IsInt() or @IsEnum(TheEnum).',
        };
    }
  },
};

/**
 * Checks that the type of a list matches its decorators: nested lists, and records whose values are described like the items of a list, are
 * flat lists at run time, without an error.
 */
export const flattenedTypes: ProjectCheck = {
  title: 'Lists hold what their types say',
  *find(setup) {
    const { compiler, files } = setup;
    const validated = files.filter(({ text }) => /['"]class-validator['"]/.test(text));
    for (const member of validated.flatMap((file) => setup.nodes(file))) {
      if (!compiler.isPropertyDeclaration(member) || !compiler.isClassDeclaration(member.parent)) continue;
      const decorators = setup.decorators(member).map(({ expression }) => expression.getText());
      const isConverted = decorators.some((text) => /^(Transform|RecordOf)\(/.test(text));
      if (!member.type || isConverted || !decorators.some((text) => /\beach: true\b/.test(text))) continue;
      const words = flattenedWords(compiler, member.type, nameOf(setup, member));
      if (words) yield { problem: `${setup.positionOf(member)}: ${words.problem}`, fix: words.fix };
    }
  },
};

/** The problem of a property that says too little; its emitted type is nothing, `Array` or the like, or a class. */
function vagueWords(setup: ReadSetup, node: TypeScript.TypeNode, property: string): ErrorWords | undefined {
  const { compiler } = setup;
  const name = compiler.isTypeReferenceNode(node) ? node.typeName.getText() : '';
  // The built-in types are not loaded, but their names are known.
  if (name === 'Date') return undefined;
  if (isList(compiler, node) || LISTS.has(name)) return schemaWords('SIGIL_DTO_ANY_ITEMS', { property });
  const type = setup.checker.getTypeFromTypeNode(node);
  if (isPlain(setup, node)) return undefined;
  if (!type.isClass()) return schemaWords('SIGIL_DTO_ANY_VALUE', { property });
  return isWithoutRules(setup, type) ? schemaWords('SIGIL_DTO_ANY_MEMBERS', { property, type: name }) : undefined;
}

const LISTS: ReadonlySet<string> = new Set(['Array', 'ReadonlyArray', 'Set', 'Map']);

function isList(compiler: ReadSetup['compiler'], node: TypeScript.TypeNode): boolean {
  if (compiler.isTypeOperatorNode(node) || compiler.isParenthesizedTypeNode(node)) return isList(compiler, node.type);
  return compiler.isArrayTypeNode(node) || compiler.isTupleTypeNode(node);
}

/** Whether a class of the project has no decorated property; a class that extends another is not judged. */
function isWithoutRules(setup: ReadSetup, type: TypeScript.Type): boolean {
  const declaration = type.getSymbol()?.valueDeclaration;
  if (!declaration || !setup.compiler.isClassDeclaration(declaration)) return false;
  if (declaration.getSourceFile().isDeclarationFile || declaration.heritageClauses) return false;
  return declaration.members.every((member) => setup.decorators(member).length === 0);
}

function flattenedWords(
  compiler: ReadSetup['compiler'],
  type: TypeScript.TypeNode,
  property: string,
): ErrorWords | undefined {
  const held = heldBy(compiler, type);
  if (held && heldBy(compiler, held)) return schemaWords('SIGIL_DTO_LIST_OF_LISTS', { property });
  const [, value] = isNamed(compiler, type, 'Record') ? (type.typeArguments ?? []) : [];
  return value && schemaWords('SIGIL_DTO_LIST_OR_RECORD', { property, nested: value.getText() });
}

/** The item type of a list. */
function heldBy(compiler: ReadSetup['compiler'], type: TypeScript.TypeNode): TypeScript.TypeNode | undefined {
  if (compiler.isTypeOperatorNode(type) || compiler.isParenthesizedTypeNode(type)) return heldBy(compiler, type.type);
  if (compiler.isArrayTypeNode(type)) return type.elementType;
  return ['Array', 'ReadonlyArray', 'Set'].some((name) => isNamed(compiler, type, name))
    ? (type as TypeScript.TypeReferenceNode).typeArguments?.[0] // the name is one of these
    : undefined;
}

function isNamed(
  compiler: ReadSetup['compiler'],
  type: TypeScript.TypeNode,
  name: string,
): type is TypeScript.TypeReferenceNode {
  return compiler.isTypeReferenceNode(type) && type.typeName.getText() === name;
}

/** The first imported name in a type. */
function importedIn({ compiler, checker }: ReadSetup, type: TypeScript.TypeNode): TypeScript.EntityName | undefined {
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

/** The properties of the project that have only silent decorators. */
function silentProperties(setup: ReadSetup): TypeScript.PropertyDeclaration[] {
  const names = new Map(setup.files.map((file) => [file, silentNames(setup.compiler, file)]));
  return setup
    .classes()
    .flatMap(({ members }) =>
      members
        .filter((member) => setup.compiler.isPropertyDeclaration(member))
        .filter((member) => isSilent(setup, member, names.get(member.getSourceFile()) ?? new Set())),
    );
}

/** A property with its class, for messages: `Query.kind`. */
function nameOf({ compiler }: ReadSetup, { parent, name }: TypeScript.PropertyDeclaration): string {
  const owner = (compiler.isClassDeclaration(parent) && parent.name?.text) || 'An anonymous class';
  return `${owner}.${name.getText()}`;
}

/** Whether the compiler specifies a type that is not an object: a string, a number, a boolean. */
function isPlain({ compiler, checker }: ReadSetup, node: TypeScript.TypeNode): boolean {
  const type = checker.getTypeFromTypeNode(node);
  const { StringLike, NumberLike, BooleanLike } = compiler.TypeFlags;
  const parts = type.isUnion() ? type.types : [type];
  return [StringLike, NumberLike, BooleanLike].some((flag) => parts.every((each) => (each.flags & flag) !== 0));
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

/** Whether all decorators of a property are silent, and one of them comes from the libraries. */
function isSilent(setup: ReadSetup, member: TypeScript.PropertyDeclaration, known: ReadonlySet<string>): boolean {
  const { compiler } = setup;
  const names = setup.decorators(member).map(({ expression }) => {
    const called = compiler.isCallExpression(expression) ? expression.expression : expression;
    return compiler.isIdentifier(called) ? called.text : '';
  });
  return names.some((name) => known.has(name)) && names.every((name) => known.has(name) || SILENT.has(name));
}
