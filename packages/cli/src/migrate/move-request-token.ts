/** `@Inject(REQUEST)` of version 2: it was the call, with the context of MCP-Nest, and is the request of HTTP. */
import type * as TypeScript from 'typescript';
import { importsFrom } from './imported-names';
import { hasEntries } from './move-classes';
import type { MovedFile } from './moved-file';
import { nodesIn } from './syntax';

const REASON = 'REQUEST is the request of HTTP, as on routes: its member mcp is the McpContext of the call.';
const MISSING = 'REQUEST has no getContext: it is the request itself, and its member mcp is the McpContext.';

/** Marks where a class with entries, or one that asks for the context, has it injected; elsewhere that is only reported. */
export function markRequestTokens(file: MovedFile): void {
  const { compiler, tree } = file;
  const core = importsFrom(compiler, tree, '@nestjs/core');
  for (const decorator of nodesIn(file, tree, compiler.isDecorator)) {
    const { expression, parent } = decorator;
    if (!compiler.isCallExpression(expression) || expression.expression.getText() !== 'Inject') continue;
    if (core.exportedOf(expression.arguments[0]) !== 'REQUEST') continue;
    if (!compiler.isParameter(parent) && !compiler.isPropertyDeclaration(parent)) continue;
    const owner = compiler.findAncestor(decorator, compiler.isClassDeclaration);
    if (!owner) continue;
    const asked = contextsOf(file, owner, parent.name.getText());
    for (const node of asked) file.todo(node, MISSING, 'requestScope');
    if (asked.length > 0 || hasEntries(file, owner)) file.todo(decorator, REASON, 'requestScope');
    else file.note(decorator, REASON, 'requestScope');
  }
}

/** The names `getContext` behind an injected request. */
function contextsOf(file: MovedFile, owner: TypeScript.ClassDeclaration, name: string): TypeScript.Node[] {
  const { compiler } = file;
  return nodesIn(file, owner, compiler.isPropertyAccessExpression)
    .filter((each) => each.name.text === 'getContext')
    .filter(({ expression }) => [name, `this.${name}`].includes(expression.getText()))
    .map((each) => each.name);
}
