/** The types in emitted metadata: the class of each has to exist when the file is loaded. */
import type * as TypeScript from 'typescript';
import type { ReadSetup } from './read-setup';

/** An emitted type, with the member that it belongs to. */
export interface EmittedType {
  readonly type: TypeScript.TypeReferenceNode;
  readonly member: TypeScript.ClassElement;
  /** Whether it is the return type of a method, which is emitted but never read. */
  readonly isReturned: boolean;
}

/** The types of parameters of decorated members and constructors, of decorated properties, and the return types of decorated methods. */
export function emittedTypes({ compiler }: ReadSetup, node: TypeScript.ClassDeclaration): EmittedType[] {
  const isDecorated = (each: TypeScript.Node): boolean =>
    compiler.canHaveDecorators(each) && (compiler.getDecorators(each) ?? []).length > 0;
  const written = (member: TypeScript.ClassElement, type: TypeScript.TypeNode | undefined, isReturned = false) => {
    const alone = type && withoutNothing(compiler, type);
    return alone && compiler.isTypeReferenceNode(alone) ? [{ type: alone, member, isReturned }] : [];
  };
  return node.members.flatMap((member): EmittedType[] => {
    if (compiler.isConstructorDeclaration(member) && isDecorated(node)) {
      return member.parameters.flatMap(({ type }) => written(member, type));
    }
    if (compiler.isMethodDeclaration(member) && isDecorated(member)) {
      return [...member.parameters.flatMap(({ type }) => written(member, type)), ...written(member, member.type, true)];
    }
    return compiler.isPropertyDeclaration(member) && isDecorated(member) ? written(member, member.type) : [];
  });
}

/** `Note | undefined` is emitted as `Note`, and any other union as no class. */
function withoutNothing(compiler: ReadSetup['compiler'], type: TypeScript.TypeNode): TypeScript.TypeNode | undefined {
  if (compiler.isParenthesizedTypeNode(type)) return withoutNothing(compiler, type.type);
  if (!compiler.isUnionTypeNode(type)) return type;
  const [first, second] = type.types.filter((each) => !/^(undefined|null|never)$/.test(each.getText()));
  return first && !second ? withoutNothing(compiler, first) : undefined;
}

/** The class that a type names, if it names one. */
export function classOf(
  { compiler, program }: ReadSetup,
  { typeName }: TypeScript.TypeReferenceNode,
): TypeScript.ClassDeclaration | undefined {
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(typeName);
  if (!symbol) return undefined;
  const target = (symbol.flags & compiler.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return target.declarations?.find((each) => compiler.isClassDeclaration(each));
}

/** The first part of a dotted name: `N` of `N.Note`. */
export function leftmost(compiler: ReadSetup['compiler'], name: TypeScript.EntityName): TypeScript.Identifier {
  return compiler.isIdentifier(name) ? name : leftmost(compiler, name.left);
}
