/** Who may use an entry: guards, scopes, roles and public tools. */
import type * as TypeScript from 'typescript';
import { importsFrom } from '../files/imported-names';
import type { MovedFile } from '../files/moved-file';
import { CORE, NEST } from '../sources/packages';
import { bare, decoratorsOf, nameOf, nodesIn, valueOf, type DecoratorCall } from '../files/syntax';

const COMMON = '@nestjs/common';

/** Moves the decorators of a class and of its methods. */
export function moveAccess(file: MovedFile, node: TypeScript.ClassDeclaration): void {
  const { compiler } = file;
  for (const target of [node, ...node.members.filter((each) => compiler.isMethodDeclaration(each))]) {
    for (const found of decoratorsOf(file, target, 'PublicTool')) rename(file, found, 'Public');
    for (const name of ['ToolScopes', 'RequireScopes'])
      for (const found of decoratorsOf(file, target, name)) moveScopes(file, found);
    for (const name of ['ToolRoles', 'RequireRoles'])
      for (const found of decoratorsOf(file, target, name)) moveRoles(file, found);
    for (const found of decoratorsOf(file, target, 'ToolGuards')) moveToolGuards(file, found);
  }
}

function rename(file: MovedFile, { call }: DecoratorCall, name: string): void {
  file.handled.add(call.expression);
  file.count('guards');
  file.replace(call.expression, file.want(CORE, name));
}

/** The texts of a list that is written in place; undefined for anything else. */
function listOf(file: MovedFile, node: TypeScript.Expression | undefined): readonly string[] | undefined {
  const { compiler } = file;
  const list = node && bare(file, node);
  if (!list || !compiler.isArrayLiteralExpression(list) || list.elements.some((each) => compiler.isSpreadElement(each)))
    return undefined;
  return list.elements.map((each) => each.getText());
}

function moveScopes(file: MovedFile, found: DecoratorCall): void {
  const { call } = found;
  const scopes = listOf(file, call.arguments[0]);
  const options = call.arguments[1];
  if (!scopes || options) return leave(file, found, 'Write @Scopes(...) of @sigil-mcp/core with its scopes in place.');
  rename(file, found, 'Scopes');
  if (call.arguments[0]) file.replace(call.arguments[0], scopes.join(', '));
}

/** All roles were required, which is several guards; one of them with `match: 'any'`. */
function moveRoles(file: MovedFile, found: DecoratorCall): void {
  const { call } = found;
  const roles = listOf(file, call.arguments[0]);
  const match = matchOf(file, call.arguments[1]);
  if (!roles || !match)
    return leave(file, found, 'Write @UseGuards(Roles(...)) of @sigil-mcp/core with its roles in place.');
  const isAny = match === 'any';
  const Roles = file.want(CORE, 'Roles');
  const guards = isAny ? [`${Roles}(${roles.join(', ')})`] : roles.map((role) => `${Roles}(${role})`);
  file.handled.add(call.expression);
  file.count('guards');
  file.replace(call, `${file.want(CORE, 'UseGuards', 'UseSigilGuards')}(${guards.join(', ')})`);
}

/** Which of the roles are required: `all` if it is left out; undefined if it is not written in place. */
function matchOf(file: MovedFile, given: TypeScript.Expression | undefined): string | undefined {
  const { compiler } = file;
  const options = given && bare(file, given);
  if (!options) return 'all';
  if (!compiler.isObjectLiteralExpression(options) || options.properties.some((each) => nameOf(each) === ''))
    return undefined;
  const match = valueOf(file, options, 'match');
  if (!match) return 'all';
  const value = bare(file, match);
  return compiler.isStringLiteralLike(value) ? value.text : undefined;
}

function moveToolGuards(file: MovedFile, found: DecoratorCall): void {
  const { call } = found;
  const guards = listOf(file, call.arguments[0]);
  if (!guards) return leave(file, found, 'Write @UseGuards(...) of @nestjs/common with its guards in place.');
  file.handled.add(call.expression);
  file.count('guards');
  file.replace(call, `${file.want(COMMON, 'UseGuards')}(${guards.join(', ')})`);
  file.note(
    call,
    'Guards of Nest run for lists, too, without arguments, and hide the tool from those whom they refuse.',
    'guards',
  );
}

function leave(file: MovedFile, { call, decorator }: DecoratorCall, reason: string): void {
  file.handled.add(call.expression);
  file.todo(decorator, reason, 'authorization');
}

/** The classes that guard entries: those of `ToolGuards`, and of `UseGuards` around classes and methods with entries. */
export function guardsAround(file: MovedFile, node: TypeScript.ClassDeclaration): string[] {
  const { compiler } = file;
  const useGuards = importsFrom(compiler, file.tree, COMMON).localOf('UseGuards');
  const targets = [node, ...node.members.filter((each) => compiler.isMethodDeclaration(each))];
  const own = targets.flatMap((target) => decoratorsOf(file, target, 'ToolGuards').map(({ call }) => call));
  const nests = targets
    .flatMap((target) => compiler.getDecorators(target) ?? [])
    .map(({ expression }) => expression)
    .filter((each) => compiler.isCallExpression(each))
    .filter(({ expression }) => expression.getText() === useGuards);
  return [...own, ...nests].flatMap((call) => nodesIn(file, call, compiler.isIdentifier).map(({ text }) => text));
}

/** A guard around entries: it finds the request in calls and on routes. */
export function moveGuardClass(file: MovedFile, node: TypeScript.ClassDeclaration): void {
  const { compiler } = file;
  const calls = nodesIn(file, node, compiler.isCallExpression);
  for (const call of calls) {
    const { context, path } = askedOf(file, call, constantsIn(file, node));
    const isData = path === 'switchToRpc.getData';
    if (context === undefined || !(isData || REQUESTS.includes(path))) continue;
    const types = call.typeArguments ? `<${call.typeArguments.map((each) => each.getText()).join(', ')}>` : '';
    file.count('guards');
    const owner = file.want(NEST, 'McpExecutionContext');
    file.replace(
      call,
      isData ? `${owner}.create(${context}).getData${types || '<any>'}()` : `${owner}.requestOf${types}(${context})`,
    );
  }
  for (const call of calls) {
    const callee = call.expression.getText();
    if (/\.getResponse$/.test(callee))
      file.todo(call, 'A call has no response of HTTP: throw an exception to refuse it.', 'nest');
    if (/\.getType$/.test(callee) && !/['"]mcp['"]/.test(call.parent.getText())) file.todo(call, TYPE, 'nest');
  }
  const requests = /\brequest\??\.body\b/.test(node.getText());
  if (requests)
    file.note(
      node,
      'The arguments are McpExecutionContext.create(context).getData(), not the body of the request.',
      'nest',
    );
}

const REQUESTS = ['switchToHttp.getRequest', 'switchToRpc.getContext.getRawRequest'];
const TYPE = "The type of a call is 'mcp' here: look at what this decides.";

/**
 * Version 2: marks what asks for the words of microservices, also where nobody can tell whether calls of MCP come there. What `getData()` gave,
 * which a guard may decide by, is something else in a call here.
 */
export function markMicroserviceWords(file: MovedFile): void {
  const { compiler, edits, tree } = file;
  for (const access of nodesIn(file, tree, compiler.isPropertyAccessExpression)) {
    if (access.name.text !== 'switchToRpc' || edits.covers(access.getStart(), access.getEnd())) continue;
    const reason =
      'In a call, McpExecutionContext.create(context) has the arguments and the context, whose members have other names.';
    file.todo(access, reason, 'nest');
  }
  for (const text of nodesIn(file, tree, (each) => compiler.isStringLiteralLike(each))) {
    const isCompared = compiler.isBinaryExpression(text.parent) || compiler.isCaseClause(text.parent);
    if (text.text === 'rpc' && isCompared) file.todo(text, TYPE, 'nest');
  }
}

/** The calls that constants of a class stand for, such as `context.switchToRpc().getContext()`. */
function constantsIn(file: MovedFile, node: TypeScript.ClassDeclaration): ReadonlyMap<string, TypeScript.Expression> {
  const { compiler } = file;
  return new Map(
    nodesIn(file, node, compiler.isVariableDeclaration).flatMap(({ name, initializer }) =>
      initializer && compiler.isCallExpression(initializer) ? [[name.getText(), initializer] as const] : [],
    ),
  );
}

/** What a call asks of which context, such as `switchToHttp.getRequest` of `context`. */
function askedOf(
  { compiler }: MovedFile,
  call: TypeScript.CallExpression,
  constants: ReadonlyMap<string, TypeScript.Expression>,
): { readonly path: string; readonly context: string | undefined } {
  const chain: string[] = [];
  let node: TypeScript.Expression = call;
  while (compiler.isCallExpression(node) && compiler.isPropertyAccessExpression(node.expression)) {
    chain.unshift(node.expression.name.text);
    const inner = node.expression.expression;
    node = (compiler.isIdentifier(inner) ? constants.get(inner.text) : undefined) ?? inner;
  }
  return { path: chain.join('.'), context: compiler.isIdentifier(node) ? node.text : undefined };
}
