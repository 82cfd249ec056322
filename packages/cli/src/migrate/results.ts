/** What handlers throw and return: messages for the model, and results with parts. */
import type * as TypeScript from 'typescript';
import { importsFrom } from './imported-names';
import { MICROSERVICES } from './handler-parameters';
import type { MovedFile } from './moved-file';
import { CORE } from './packages';
import { renameProperty } from './move-options';
import { bare, nameOf, nodesIn, valueOf } from './syntax';

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
  for (const { expression: returned } of nodesIn(file, body, compiler.isReturnStatement)) {
    const expression = returned && bare(file, returned);
    if (!returned || !expression || !compiler.isObjectLiteralExpression(expression)) continue;
    const names = expression.properties.map(nameOf);
    if (!names.includes('content') || !names.every((name) => PARTS.includes(name))) continue;
    const content = valueOf(file, expression, 'content');
    if (!outputs && (!content || compiler.isArrayLiteralExpression(bare(file, content)))) continue;
    renameProperty(file, expression, ['structuredContent', 'structured']);
    renameProperty(file, expression, ['_meta', 'meta']);
    file.edits.insert(returned.getStart(), `${file.want(CORE, 'toolResult')}(`);
    file.edits.insert(returned.getEnd(), ')');
  }
}

/** A resource or prompt that always fails has a result of no type, which is not the same as none. */
export function moveFailing(
  file: MovedFile,
  { body, type, parameters, modifiers }: TypeScript.MethodDeclaration,
): void {
  const { compiler, text } = file;
  const last = body?.statements.at(-1);
  if (type || !body || !last || !compiler.isThrowStatement(last)) return;
  if (nodesIn(file, body, compiler.isReturnStatement).length > 0) return;
  const isAsync = modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.AsyncKeyword) === true;
  file.edits.insert(text.indexOf(')', parameters.end) + 1, isAsync ? ': Promise<never>' : ': never');
}
