/** Properties that say too little: they have decorators, but neither these nor the compiler specify a type. */
import type * as TypeScript from 'typescript';
import type { ErrorWords } from '@sigil-mcp/core/adapter';
import { schemaWords } from '@sigil-mcp/schema/errors';
import type { ProjectCheck, Finding } from './check';
import { positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';
import { isPlain, nameOf, silentProperties } from './silent-properties';

/** Checks that the schema specifies what a model has to send. */
export const vagueProperties: ProjectCheck = {
  title: 'Properties declare their types',
  find: (setup) => silentProperties(setup).flatMap((member) => findingsOf(setup, member)),
};

/** The problem of a property that says too little; its emitted type is nothing, `Array` or the like, or a class. */
function wordsOf(setup: ReadSetup, node: TypeScript.TypeNode, property: string): ErrorWords | undefined {
  const { compiler } = setup;
  const name = compiler.isTypeReferenceNode(node) ? node.typeName.getText() : '';
  // The built-in types are not loaded, but their names are known.
  if (name === 'Date') return undefined;
  if (isList(compiler, node) || LISTS.has(name)) return schemaWords('SIGIL_DTO_ANY_ITEMS', { property });
  const type = setup.program.getTypeChecker().getTypeFromTypeNode(node);
  if (isPlain(setup, node)) return undefined;
  if (!type.isClass()) return schemaWords('SIGIL_DTO_ANY_VALUE', { property });
  return isWithoutRules(compiler, type) ? schemaWords('SIGIL_DTO_ANY_MEMBERS', { property, type: name }) : undefined;
}

const LISTS: ReadonlySet<string> = new Set(['Array', 'ReadonlyArray', 'Set', 'Map']);

function isList(compiler: ReadSetup['compiler'], node: TypeScript.TypeNode): boolean {
  if (compiler.isTypeOperatorNode(node) || compiler.isParenthesizedTypeNode(node)) return isList(compiler, node.type);
  return compiler.isArrayTypeNode(node) || compiler.isTupleTypeNode(node);
}

/** Whether a class of the project has no decorated property; a class that extends another is not judged. */
function isWithoutRules(compiler: ReadSetup['compiler'], type: TypeScript.Type): boolean {
  const declaration = type.getSymbol()?.valueDeclaration;
  if (!declaration || !compiler.isClassDeclaration(declaration)) return false;
  if (declaration.getSourceFile().isDeclarationFile || declaration.heritageClauses) return false;
  return declaration.members.every(
    (member) => !compiler.canHaveDecorators(member) || (compiler.getDecorators(member) ?? []).length === 0,
  );
}

function findingsOf(setup: ReadSetup, member: TypeScript.PropertyDeclaration): Finding[] {
  const words = member.type && wordsOf(setup, member.type, nameOf(setup, member));
  return words ? [{ problem: `${positionOf(setup, member)}: ${words.problem}`, fix: words.fix }] : [];
}
