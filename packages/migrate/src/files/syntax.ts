/** Questions about the syntax of moved code, and changes of lists in it. */
import type * as TypeScript from 'typescript';
import type { Compiler } from '@sigil-mcp/cli/kit';
import type { MovedFile } from './moved-file';

/** A decorator that is a call. */
export interface DecoratorCall {
  readonly decorator: TypeScript.Decorator;
  readonly call: TypeScript.CallExpression;
}

/** The decorators of a node that are calls of an exported name of the old package. */
export function decoratorsOf(file: MovedFile, node: TypeScript.HasDecorators, name: string): DecoratorCall[] {
  const { compiler, old } = file;
  return (compiler.getDecorators(node) ?? []).flatMap((decorator) => {
    const { expression } = decorator;
    if (!compiler.isCallExpression(expression)) return [];
    return old.exportedOf(expression.expression) === name ? [{ decorator, call: expression }] : [];
  });
}

/** The value of a property of an object literal, shorthand included; undefined without it. */
export function valueOf(
  { compiler }: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  name: string,
): TypeScript.Expression | undefined {
  const found = literal.properties.find((each) => nameOf(each) === name);
  if (!found) return undefined;
  if (compiler.isPropertyAssignment(found)) return found.initializer;
  return compiler.isShorthandPropertyAssignment(found) ? found.name : undefined;
}

/** The name of a property, without quotes and their brackets; empty for a spread. */
export function nameOf(property: TypeScript.ObjectLiteralElementLike): string {
  return property.name?.getText().replace(/^(?:\[\s*)?['"`]|['"`](?:\s*\])?$/g, '') ?? '';
}

/** An expression without parentheses, `as` and `satisfies`. */
export function bare({ compiler }: MovedFile, node: TypeScript.Expression): TypeScript.Expression {
  let found = node;
  while (
    compiler.isParenthesizedExpression(found) ||
    compiler.isAsExpression(found) ||
    compiler.isSatisfiesExpression(found)
  )
    found = found.expression;
  return found;
}

/** Removes an element of a list with its comma, and with its line if it has one of its own. */
export function removeElement(file: MovedFile, list: TypeScript.NodeArray<TypeScript.Node>, index: number): void {
  const { text, edits } = file;
  const node = list[index];
  if (!node) return;
  const next = list[index + 1];
  const lineStart = text.lastIndexOf('\n', node.getStart() - 1) + 1;
  const rest = /^[ \t]*(?:,[ \t]*)?(\r?\n)/.exec(text.slice(node.getEnd()));
  if (text.slice(lineStart, node.getStart()).trim() === '' && rest)
    return edits.replace(lineStart, node.getEnd() + rest[0].length, '');
  if (next) return edits.replace(node.getStart(), next.getStart(), '');
  const before = list[index - 1];
  // The comma in front of it is gone already.
  if (before && edits.covers(before.getStart(), node.getStart()))
    return edits.replace(node.getStart(), node.getEnd(), '');
  const start = list[index - 1]?.getEnd() ?? node.getStart();
  const comma = /^[ \t]*,/.exec(text.slice(node.getEnd()))?.[0].length ?? 0;
  edits.replace(start, index === 0 ? node.getEnd() + comma : node.getEnd(), '');
}

/** Every node below a node that a test accepts, in the order of the text. */
export function nodesIn<T extends TypeScript.Node>(
  { compiler }: Pick<MovedFile, 'compiler'>,
  root: TypeScript.Node,
  test: (node: TypeScript.Node) => node is T,
): T[] {
  const found: T[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (test(node)) found.push(node);
    compiler.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** The uses of a variable below a node: identifiers of its name that are no names of members. */
export function usesOf(
  file: Pick<MovedFile, 'compiler'>,
  root: TypeScript.Node,
  name: string,
): TypeScript.Identifier[] {
  const { compiler } = file;
  return nodesIn(file, root, compiler.isIdentifier).filter(({ text, parent }, index, all) => {
    const node = all[index];
    if (text !== name || !node || isShadowed(compiler, root, node)) return false;
    if (compiler.isPropertyAccessExpression(parent)) return parent.name !== node;
    if (compiler.isPropertyAssignment(parent)) return parent.name !== node;
    return !compiler.isPropertySignature(parent) && !compiler.isMethodDeclaration(parent);
  });
}

/** Whether a function or a block between a node and the body of a function declares its name. */
function isShadowed(compiler: Compiler, root: TypeScript.Node, node: TypeScript.Identifier): boolean {
  if (compiler.isSourceFile(root)) return false;
  for (let at: TypeScript.Node = node.parent; at !== root; at = at.parent) {
    const declared = compiler.isFunctionLike(at)
      ? at.parameters
      : compiler.isBlock(at)
        ? at.statements
            .filter((each) => compiler.isVariableStatement(each))
            .flatMap((each) => [...each.declarationList.declarations])
        : [];
    const names = [...declared].flatMap(({ name }) => nodesIn({ compiler }, name, compiler.isIdentifier));
    if (names.some(({ text }) => text === node.text)) return true;
  }
  return false;
}

/** The spaces in front of the line of a position. */
export function indentationAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

/** Text as a literal in the quotes of a file. */
export function quoted({ source }: MovedFile, text: string): string {
  const { quote } = source.style;
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}
