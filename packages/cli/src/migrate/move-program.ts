/** The program of version 2: what connected the strategy is taken out. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from './moved-file';
import { nodesIn, removeElement, valueOf } from './syntax';

/** Whether a file starts an application without HTTP. */
export function isHeadless(text: string): boolean {
  return /NestFactory\s*\.\s*createApplicationContext/.test(text) && !/NestFactory\s*\.\s*create\s*[<(]/.test(text);
}

/** Moves the statements that start an application. Does nothing in other files. */
export function moveProgram(file: MovedFile): void {
  const { compiler, tree } = file;
  if (!/strategy/.test(file.text) || !/NestFactory/.test(file.text)) return;
  const strategies = strategiesOf(file);
  for (const statement of nodesIn(file, tree, compiler.isExpressionStatement)) {
    const call = calledIn(file, statement.expression);
    const callee = call?.expression;
    if (!call || !callee || !compiler.isPropertyAccessExpression(callee)) continue;
    const member = callee.name.text;
    const isOfStrategy = strategies.has(callee.expression.getText()) && member === 'setHttpAdapter';
    const isConnected = member === 'connectMicroservice' && hasStrategy(file, call);
    const isStarted = member === 'startAllMicroservices' && connections(file).every((each) => hasStrategy(file, each));
    if (isOfStrategy || isConnected || isStarted) removeLine(file, statement);
  }
  for (const call of nodesIn(file, tree, compiler.isCallExpression)) moveMicroservice(file, call);
}

function calledIn({ compiler }: MovedFile, node: TypeScript.Expression): TypeScript.CallExpression | undefined {
  const inner = compiler.isAwaitExpression(node) || compiler.isVoidExpression(node) ? node.expression : node;
  return compiler.isCallExpression(inner) ? inner : undefined;
}

function connections(file: MovedFile): TypeScript.CallExpression[] {
  const { compiler } = file;
  return nodesIn(file, file.tree, compiler.isCallExpression).filter(({ expression }) =>
    /\.connectMicroservice$/.test(expression.getText()),
  );
}

function hasStrategy(file: MovedFile, { arguments: given }: TypeScript.CallExpression): boolean {
  const { compiler } = file;
  return given.some(
    (each) => compiler.isObjectLiteralExpression(each) && valueOf(file, each, 'strategy') !== undefined,
  );
}

/** The names that stand for strategies: those of `connectMicroservice`. */
function strategiesOf(file: MovedFile): ReadonlySet<string> {
  const { compiler } = file;
  return new Set(
    connections(file)
      .flatMap(({ arguments: given }) => [...given])
      .filter((each) => compiler.isObjectLiteralExpression(each))
      .flatMap((each) => valueOf(file, each, 'strategy')?.getText() ?? []),
  );
}

function removeLine(file: MovedFile, node: TypeScript.Node): void {
  const { text } = file;
  const start = text.lastIndexOf('\n', node.getStart()) + 1;
  const rest = /^[^\n]*\n?/.exec(text.slice(node.getEnd()))?.[0] ?? '';
  const isAlone = text.slice(start, node.getStart()).trim() === '' && /^[ \t]*(?:\/\/[^\n]*)?\r?\n?$/.test(rest);
  if (isAlone) file.edits.replace(start, node.getEnd() + rest.length, '');
  else file.edits.replace(node.getStart(), node.getEnd(), '');
}

/** `createMicroservice(AppModule, { strategy })` is an application without HTTP, which needs no `listen`. */
function moveMicroservice(file: MovedFile, call: TypeScript.CallExpression): void {
  const { compiler } = file;
  const { expression } = call;
  if (!compiler.isPropertyAccessExpression(expression) || expression.name.text !== 'createMicroservice') return;
  const options = call.arguments.find((each) => compiler.isObjectLiteralExpression(each));
  if (!options || valueOf(file, options, 'strategy') === undefined) return;
  file.count('programs');
  file.edits.replace(expression.name.getStart(), call.arguments.pos - 1, 'createApplicationContext');
  const index = options.properties.findIndex((each) => each.name?.getText() === 'strategy');
  const before = call.arguments[call.arguments.indexOf(options) - 1];
  if (options.properties.length === 1 && before) file.edits.replace(before.getEnd(), options.getEnd(), '');
  else removeElement(file, options.properties, index);
  const variable = nameOfResult(file, call);
  if (variable === undefined) return;
  for (const statement of nodesIn(file, file.tree, compiler.isExpressionStatement)) {
    const listened = calledIn(file, statement.expression);
    if (listened?.expression.getText() === `${variable}.listen`)
      file.replace(statement, `${variable}.enableShutdownHooks()${file.source.style.semicolons ? ';' : ''}`);
  }
}

function nameOfResult({ compiler }: MovedFile, call: TypeScript.CallExpression): string | undefined {
  const holder = compiler.isAwaitExpression(call.parent) ? call.parent.parent : call.parent;
  return compiler.isVariableDeclaration(holder) ? holder.name.getText() : undefined;
}
