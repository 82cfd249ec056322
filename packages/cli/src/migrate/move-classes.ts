/** The classes of a file: those with entries, and guards around them. */
import type * as TypeScript from 'typescript';
import { isEndpointController } from './endpoint-controllers';
import { moveEntries } from './move-entries';
import { guardsAround, moveAccess, moveGuardClass } from './move-guards';
import type { MovedFile } from './moved-file';
import { CORE } from './packages';
import { decoratorsOf, nodesIn, valueOf } from './syntax';

const COMMON = '@nestjs/common';
const ENTRY_DECORATORS = ['Tool', 'Resource', 'ResourceTemplate', 'Prompt'];

/** What the classes of a project are. */
export interface ProjectClasses {
  /** Those that version 2 had among the controllers of modules. */
  readonly controllers: Set<string>;
  /** Those that owned the route of the endpoint. */
  readonly endpoints: Set<string>;
  /** Guards around entries. */
  readonly guards: Set<string>;
}

/** Adds what the classes of a file say of others. */
export function readClasses(file: MovedFile, { controllers, endpoints, guards }: ProjectClasses): void {
  for (const node of nodesIn(file, file.tree, file.compiler.isClassDeclaration)) {
    if (decoratorsOf(file, node, 'McpController').length > 0 && node.name) controllers.add(node.name.text);
    if (node.name && isEndpointController(file, node)) endpoints.add(node.name.text);
    if (hasEntries(file, node)) for (const guard of guardsAround(file, node)) guards.add(guard);
  }
}

/** Moves the classes of a file. */
export function moveClasses(file: MovedFile, { guards }: ProjectClasses): void {
  for (const node of nodesIn(file, file.tree, file.compiler.isClassDeclaration)) {
    moveController(file, node);
    moveAccess(file, node);
    moveEntries(file, node);
    if (node.name && guards.has(node.name.text)) moveGuardClass(file, node);
  }
}

/** Whether a class has tools, resources or prompts of the old package. */
export function hasEntries(file: MovedFile, node: TypeScript.ClassDeclaration): boolean {
  const methods = node.members.filter((each) => file.compiler.isMethodDeclaration(each));
  return methods.some((method) => ENTRY_DECORATORS.some((name) => decoratorsOf(file, method, name).length > 0));
}

/** `@McpController()` is `@Feature()`; with a scope it is `@Injectable({ scope })`. */
function moveController(file: MovedFile, node: TypeScript.ClassDeclaration): void {
  const { compiler } = file;
  for (const { call } of decoratorsOf(file, node, 'McpController')) {
    file.handled.add(call.expression);
    const [options] = call.arguments;
    if (!options) {
      file.replace(call.expression, file.want(CORE, 'Feature'));
      continue;
    }
    const literal = compiler.isObjectLiteralExpression(options) ? options : undefined;
    const kept = ['scope', 'durable'].flatMap((name) => {
      const value = literal && valueOf(file, literal, name);
      return value ? [`${name}: ${value.getText()}`] : [];
    });
    // What else there may be is of a route, or the server, which names the class.
    const [now, given] = kept.length > 0 ? ['Injectable', `{ ${kept.join(', ')} }`] : ['Feature', ''];
    file.replace(call, `${file.want(kept.length > 0 ? COMMON : CORE, now)}(${given})`);
  }
}
