/** The program of version 2: what connected the strategy is taken out. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from '../files/moved-file';
import { connectedIn, connections } from './program-strategies';
import { bare, nodesIn, removeElement, usesOf, valueOf } from '../files/syntax';

/** Whether a file starts an application without HTTP. */
export function isHeadless(text: string): boolean {
  return /NestFactory\s*\.\s*createApplicationContext/.test(text) && !/NestFactory\s*\.\s*create\s*[<(]/.test(text);
}

/**
 * Takes the statements out that connected strategies, and marks every other use of one.
 * @param names the names of strategies in this file
 */
export function moveProgram(file: MovedFile, names: ReadonlySet<string>): void {
  const { compiler, tree } = file;
  const strategies = new Set([...names, ...connectedIn(file)]);
  if (strategies.size === 0 && !/\bstrategy\b/.test(file.text)) return;
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
  for (const statement of nodesIn(file, tree, compiler.isVariableStatement)) dropAdapter(file, statement);
  for (const name of names) markUses(file, name);
}

/** `const adapter = app.getHttpAdapter()`, if only strategies were given it. */
function dropAdapter(file: MovedFile, statement: TypeScript.VariableStatement): void {
  const [declaration] = statement.declarationList.declarations;
  const { initializer, name } = declaration ?? {};
  if (!name || !/\.getHttpAdapter\(\)$/.test(initializer?.getText() ?? '')) return;
  const uses = usesOf(file, file.tree, name.getText()).filter((use) => use !== name);
  const isUsed = uses.some((use) => !file.edits.covers(use.getStart(), use.getEnd()));
  if (uses.length > 0 && !isUsed) removeLine(file, statement);
}

/** Marks every other use of a strategy, which is a module now. */
function markUses(file: MovedFile, name: string): void {
  const { compiler, tree, edits } = file;
  const reason = `${name} is the module of its server now: inject Server of @sigil-mcp/core, and add entries with server.registry.add(tool(name, options, handler)).`;
  for (const use of usesOf(file, tree, name)) {
    const { parent } = use;
    const isDeclared = compiler.isVariableDeclaration(parent) && parent.name === use;
    const isHandedOn = compiler.isImportSpecifier(parent) || compiler.isExportSpecifier(parent);
    if (isDeclared || isHandedOn || edits.covers(use.getStart(), use.getEnd())) continue;
    file.todo(use, reason, 'registry');
  }
}

function calledIn({ compiler }: MovedFile, node: TypeScript.Expression): TypeScript.CallExpression | undefined {
  const inner = compiler.isAwaitExpression(node) || compiler.isVoidExpression(node) ? node.expression : node;
  return compiler.isCallExpression(inner) ? inner : undefined;
}

function hasStrategy(file: MovedFile, { arguments: given }: TypeScript.CallExpression): boolean {
  const { compiler } = file;
  return given
    .map((each) => bare(file, each))
    .some((each) => compiler.isObjectLiteralExpression(each) && valueOf(file, each, 'strategy') !== undefined);
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
  const given = call.arguments.find((each) => compiler.isObjectLiteralExpression(bare(file, each)));
  const options = given && bare(file, given);
  if (!options || !compiler.isObjectLiteralExpression(options)) return;
  if (valueOf(file, options, 'strategy') === undefined) return;
  file.count('programs');
  file.edits.replace(expression.name.getStart(), call.arguments.pos - 1, 'createApplicationContext');
  const index = options.properties.findIndex((each) => each.name?.getText() === 'strategy');
  const before = call.arguments[call.arguments.indexOf(given) - 1];
  if (options.properties.length === 1 && before) file.edits.replace(before.getEnd(), given.getEnd(), '');
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
