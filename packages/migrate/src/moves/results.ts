/** What handlers throw and return: messages for the model, and results with parts. */
import type * as TypeScript from 'typescript';
import { importsFrom } from '../files/imported-names';
import { MICROSERVICES } from './handler-parameters';
import type { MovedFile } from '../files/moved-file';
import { CORE } from '../sources/packages';
import { renameProperty } from './move-options';
import { bare, nameOf, nodesIn, valueOf } from '../files/syntax';

/** Errors whose message the model read. */
export function moveThrows(file: MovedFile, method: TypeScript.MethodDeclaration): void {
  const { body } = method;
  if (!body) return;
  const isTold = file.from.tellsErrors !== 'never';
  const { compiler } = file;
  for (const { expression } of nodesIn(file, body, compiler.isThrowStatement)) {
    if (!compiler.isNewExpression(expression)) continue;
    const message = messageOf(file, expression, isTold);
    if (message !== undefined) file.replace(expression, `new ${file.want(CORE, 'ToolFailure')}(${message})`);
  }
}

/**
 * The arguments of a `ToolFailure` in place of an error; undefined for errors that stay as they are.
 * @param isTold whether the model read the message of any error, as in version 1
 */
function messageOf(
  file: MovedFile,
  { expression, arguments: given }: TypeScript.NewExpression,
  isTold: boolean,
): string | undefined {
  const { compiler, tree } = file;
  const name = expression.getText();
  const args = [...(given ?? [])];
  if (name === 'Error' && isTold && args.length > 0) return args.map((each) => each.getText()).join(', ');
  const rpc = importsFrom(compiler, tree, MICROSERVICES).exportedOf(expression) === 'RpcException';
  if (rpc && args[0] && !compiler.isObjectLiteralExpression(args[0])) {
    file.handled.add(expression);
    return args[0].getText();
  }
  const isSdk = importsFrom(compiler, tree, '@modelcontextprotocol').exportedOf(expression) === 'McpError';
  return isSdk && args[1] ? args[1].getText() : undefined;
}

const PARTS = ['content', 'structuredContent', 'isError', '_meta'];

/**
 * Results with parts, where they would be taken for data: those of a tool whose output has a schema, and those whose content may be an
 * empty list.
 */
export function moveReturns(file: MovedFile, { body }: TypeScript.MethodDeclaration, outputs: boolean): void {
  if (!body) return;
  const { compiler } = file;
  for (const returned of returnsOf(file, body).flatMap((each) => resultsIn(file, each))) {
    const expression = bare(file, returned);
    if (outputs && compiler.isIdentifier(expression)) markConstant(file, body, expression);
    if (!compiler.isObjectLiteralExpression(expression) || !hasParts(expression)) continue;
    const content = valueOf(file, expression, 'content');
    if (!outputs && (!content || compiler.isArrayLiteralExpression(bare(file, content)))) continue;
    renameProperty(file, expression, ['structuredContent', 'structured']);
    renameProperty(file, expression, ['_meta', 'meta']);
    file.edits.insert(returned.getStart(), `${file.want(CORE, 'toolResult')}(`);
    file.edits.insert(returned.getEnd(), ')');
  }
}

function hasParts({ properties }: TypeScript.ObjectLiteralExpression): boolean {
  const names = properties.map(nameOf);
  return names.includes('content') && names.every((name) => PARTS.includes(name));
}

/** What a function returns itself; not what functions within it return. */
function returnsOf({ compiler }: MovedFile, body: TypeScript.Block): TypeScript.Expression[] {
  const found: TypeScript.Expression[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isFunctionLike(node) || compiler.isClassLike(node)) return;
    if (compiler.isReturnStatement(node) && node.expression) found.push(node.expression);
    compiler.forEachChild(node, visit);
  };
  compiler.forEachChild(body, visit);
  return found;
}

/** The results among which a condition chooses. */
function resultsIn(file: MovedFile, returned: TypeScript.Expression): TypeScript.Expression[] {
  const expression = bare(file, returned);
  if (!file.compiler.isConditionalExpression(expression)) return [returned];
  return [expression.whenTrue, expression.whenFalse].flatMap((each) => resultsIn(file, each));
}

/** A result with parts that a constant holds. */
function markConstant(file: MovedFile, body: TypeScript.Block, { text, parent }: TypeScript.Identifier): void {
  const { compiler } = file;
  const made = nodesIn(file, body, compiler.isVariableDeclaration).find(({ name }) => name.getText() === text);
  const value = made?.initializer && bare(file, made.initializer);
  if (value && compiler.isObjectLiteralExpression(value) && hasParts(value))
    file.todo(
      parent,
      `Return toolResult({ content, structured }) of @sigil-mcp/core in place of ${text}.`,
      file.from.guide,
    );
}

/** A resource or prompt that always fails has a result of no type, which is not the same as none. */
export function moveFailing(
  file: MovedFile,
  { body, type, parameters, modifiers }: TypeScript.MethodDeclaration,
): void {
  const { compiler, text } = file;
  const last = body?.statements.at(-1);
  if (type || !body || !last || !compiler.isThrowStatement(last)) return;
  if (returnsOf(file, body).length > 0) return;
  const isAsync = modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.AsyncKeyword) === true;
  file.edits.insert(text.indexOf(')', parameters.end) + 1, isAsync ? ': Promise<never>' : ': never');
}
