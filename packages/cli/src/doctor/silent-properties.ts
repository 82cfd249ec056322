/** Properties that only the compiler describes: they have decorators, but these specify no type. */
import type * as TypeScript from 'typescript';
import { ownFiles } from './own-sources';
import type { ReadSetup } from './read-setup';

/** Decorators that specify neither the type of a value nor that of list items. All others may specify it. */
const SILENT: ReadonlySet<string> = new Set([
  'IsOptional', 'IsDefined', 'IsNotEmpty', 'ValidateIf', 'IsArray', 'ArrayNotEmpty', 'ArrayMinSize', 'ArrayMaxSize', 'ArrayUnique',
  'Describe', 'Title', 'Nullable', 'McpHeader', 'Expose', 'ApiProperty', 'ApiPropertyOptional', 'ApiHideProperty',
]); // prettier-ignore

/** The libraries whose decorators make a property an argument or a result. */
const LIBRARIES: ReadonlySet<string> = new Set(['class-validator', '@sigil-mcp/core']);

/** The properties of the project that have only silent decorators. */
export function silentProperties(setup: ReadSetup): TypeScript.PropertyDeclaration[] {
  // The checker sets the parents of all nodes.
  setup.program.getTypeChecker();
  return ownFiles(setup).flatMap((file) => silentIn(setup, file));
}

function silentIn({ compiler }: ReadSetup, file: TypeScript.SourceFile): TypeScript.PropertyDeclaration[] {
  const silent = silentNames(compiler, file);
  const found: TypeScript.PropertyDeclaration[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isClassDeclaration(node)) {
      for (const member of node.members)
        if (compiler.isPropertyDeclaration(member) && isSilent(compiler, member, silent)) found.push(member);
    }
    compiler.forEachChild(node, visit);
  };
  if (silent.size > 0) visit(file);
  return found;
}

/** A property with its class, for messages: `Query.kind`. */
export function nameOf({ compiler }: ReadSetup, { parent, name }: TypeScript.PropertyDeclaration): string {
  const owner = (compiler.isClassDeclaration(parent) && parent.name?.text) || 'An anonymous class';
  return `${owner}.${name.getText()}`;
}

/** Whether the compiler specifies a type that is not an object: a string, a number, a boolean. */
export function isPlain({ compiler, program }: ReadSetup, node: TypeScript.TypeNode): boolean {
  const type = program.getTypeChecker().getTypeFromTypeNode(node);
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
