/** The uses of a context: progress, log, request, client. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from '../files/moved-file';
import { NEST } from '../sources/packages';
import { bare, nodesIn, usesOf, valueOf } from '../files/syntax';

/** Members that are called as before, under another name. */
const RENAMED: Readonly<Record<string, string>> = {
  getClientInfo: 'client',
  getClientCapabilities: 'client.capabilities',
};

/** Moves everything that a function does with its context. Counts it once. */
export function moveContext(file: MovedFile, fn: TypeScript.FunctionLikeDeclaration, name: string): void {
  const { compiler } = file;
  if (!fn.body) return;
  file.count('contexts');
  for (const use of usesOf(file, fn.body, name)) {
    const { parent } = use;
    if (compiler.isPropertyAccessExpression(parent)) moveMember(file, fn, parent);
    else if (compiler.isVariableDeclaration(parent) || compiler.isElementAccessExpression(parent))
      markMembers(file, use);
  }
}

/** Marks a context that is taken apart, or has another name from there on. */
export function markMembers(file: MovedFile, node: TypeScript.Node): void {
  file.todo(
    node,
    'Compare what you read of it with McpContext of @sigil-mcp/core: members have other names.',
    file.from.guide,
  );
}

function moveMember(
  file: MovedFile,
  fn: TypeScript.FunctionLikeDeclaration,
  access: TypeScript.PropertyAccessExpression,
): void {
  const { compiler } = file;
  const { parent, name } = access;
  const call = compiler.isCallExpression(parent) && parent.expression === access ? parent : undefined;
  const context = access.expression.getText();
  const member = name.text;
  if (file.from.context === 'unknown')
    return file.todo(access, `${member}: look for its counterpart in McpContext of @sigil-mcp/core.`, file.from.guide);
  if (member === 'reportProgress' && call) return moveProgress(file, call, access);
  if (member === 'log' && compiler.isPropertyAccessExpression(parent)) return moveLog(file, parent);
  if (member === 'getRawRequest' && call) return moveRawRequest(file, fn, call);
  if (member === 'mcpRequest') return moveRequestFacts(file, access);
  const renamed = call && RENAMED[member];
  if (renamed !== undefined && call) return file.replace(call, `${context}.${renamed}`);
  if (member === 'mcpServer')
    return file.todo(
      access,
      'Ask the user with context.elicit, the model with context.sample, or inject Server of @sigil-mcp/core.',
      'asking',
    );
  if (member === 'getSession' || member === 'getProtocolVersion')
    file.todo(access, `There is no ${member}: handlers are the same for every revision.`, 'guide');
}

function moveProgress(
  file: MovedFile,
  call: TypeScript.CallExpression,
  access: TypeScript.PropertyAccessExpression,
): void {
  const { compiler } = file;
  const value = call.arguments[0] && bare(file, call.arguments[0]);
  const progress = value && compiler.isObjectLiteralExpression(value) ? valueOf(file, value, 'progress') : undefined;
  if (!value || !progress || !compiler.isObjectLiteralExpression(value))
    return file.todo(call, 'Write context.progress(progress, total, message).', 'guide');
  const [total, message] = ['total', 'message'].map((name) => valueOf(file, value, name)?.getText());
  const values = [progress.getText(), total ?? (message === undefined ? undefined : 'undefined'), message];
  file.edits.replace(
    access.name.getStart(),
    call.getEnd(),
    `progress(${values.filter((each) => each !== undefined).join(', ')})`,
  );
}

/** `warn` is `warning`, and data is an object. */
function moveLog(file: MovedFile, level: TypeScript.PropertyAccessExpression): void {
  const { compiler } = file;
  if (level.name.text === 'warn') file.replace(level.name, 'warning');
  const call = compiler.isCallExpression(level.parent) ? level.parent : undefined;
  const data = call?.arguments[1];
  if (data && !compiler.isObjectLiteralExpression(bare(file, data))) {
    file.edits.insert(data.getStart(), '{ data: ');
    file.edits.insert(data.getEnd(), ' }');
  }
}

/** The request of HTTP is a parameter. */
function moveRawRequest(
  file: MovedFile,
  fn: TypeScript.FunctionLikeDeclaration,
  call: TypeScript.CallExpression,
): void {
  const { compiler } = file;
  const isHandler = compiler.isMethodDeclaration(fn) && (compiler.getDecorators(fn) ?? []).length > 0;
  const last = fn.parameters.at(-1);
  if (!isHandler || !last)
    return file.todo(call, 'Pass the request to this function: handlers have it as a parameter with @Req().', 'nest');
  const name = fn.body && usesOf(file, fn.body, 'request').length > 0 ? 'mcpRequest' : 'request';
  const isAlone = nodesIn(file, fn, compiler.isCallExpression).find(isRawRequest) === call;
  const declared = compiler.isVariableDeclaration(call.parent) && call.parent.name.getText() === 'request';
  const own = declared ? 'httpRequest' : name;
  if (isAlone) {
    const type = call.typeArguments?.[0]?.getText() ?? file.want(NEST, 'McpRequest');
    file.edits.insert(last.getEnd(), `, @${file.want('@nestjs/common', 'Req')}() ${own}: ${type}`);
  }
  file.replace(call, own);
}

function isRawRequest({ expression }: TypeScript.CallExpression): boolean {
  return expression.getText().endsWith('.getRawRequest');
}

/** `params._meta` and `method` are members of the request here. */
function moveRequestFacts(file: MovedFile, access: TypeScript.PropertyAccessExpression): void {
  const { compiler } = file;
  const params = access.parent;
  const meta = params.parent;
  const context = access.expression.getText();
  if (compiler.isPropertyAccessExpression(params) && params.name.text === 'method')
    return file.replace(params, `${context}.request.method`);
  const isMeta =
    compiler.isPropertyAccessExpression(params) &&
    params.name.text === 'params' &&
    compiler.isPropertyAccessExpression(meta) &&
    meta.name.text === '_meta';
  if (isMeta) return file.replace(meta, `${context}.request.meta`);
  file.replace(access, `${context}.request`);
  file.note(access, 'context.request.params are those of the newest revision, and of the type unknown.', 'guide');
}
