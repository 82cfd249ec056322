/** Imported types that a compiler resolves only with all files: jest compiles each file separately, and may read another type. */
import type * as TypeScript from 'typescript';
import type { ProjectCheck, Finding } from './check';
import { leftmost } from './emitted-types';
import { positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';
import { isPlain, nameOf, silentProperties } from './silent-properties';

/** Checks that tests and the build read the same types. */
export const importedTypes: ProjectCheck = {
  title: 'Tests read the types that the build reads',
  find: (setup) => silentProperties(setup).flatMap((member) => findingsOf(setup, member)),
};

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
