/** Nested lists, and records whose values are described like the items of a list: at run time both are flat lists, without an error. */
import type * as TypeScript from 'typescript';
import type { ErrorWords } from '@sigil-mcp/core/adapter';
import { schemaWords } from '@sigil-mcp/schema/errors';
import type { ProjectCheck, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';

/** Checks that the type of a list matches its decorators. */
export const flattenedTypes: ProjectCheck = {
  title: 'Lists hold what their types say',
  find: (setup) => ownFiles(setup).flatMap((file) => flattenedIn(setup, file)),
};

function flattenedIn(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const { compiler } = setup;
  // The checker sets the parents of all nodes.
  setup.program.getTypeChecker();
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isPropertyDeclaration(node) && compiler.isClassDeclaration(node.parent))
      findings.push(...findingsOf(setup, node, node.parent));
    compiler.forEachChild(node, visit);
  };
  if (file.text.includes("'class-validator'") || file.text.includes('"class-validator"')) visit(file);
  return findings;
}

function findingsOf(
  setup: ReadSetup,
  member: TypeScript.PropertyDeclaration,
  owner: TypeScript.ClassDeclaration,
): Finding[] {
  const { compiler } = setup;
  const decorators = (compiler.getDecorators(member) ?? []).map(({ expression }) => expression.getText());
  const isConverted = decorators.some((text) => /^(Transform|RecordOf)\(/.test(text));
  if (!member.type || isConverted || !decorators.some((text) => /\beach: true\b/.test(text))) return [];
  const property = `${owner.name?.text ?? 'An anonymous class'}.${member.name.getText()}`;
  const words = wordsOf(compiler, member.type, property);
  return words ? [{ problem: `${positionOf(setup, member)}: ${words.problem}`, fix: words.fix }] : [];
}

function wordsOf(compiler: ReadSetup['compiler'], type: TypeScript.TypeNode, property: string): ErrorWords | undefined {
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
