/** `McpModule` in the imports of modules, and the controllers of version 2 among their providers. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from '../files/moved-file';
import { NEST } from '../sources/packages';
import { addToList, handledTree, modulesIn } from './endpoint-controllers';
import { moveServerOptions, type ServerFacts } from './move-server-options';
import { bare, nodesIn, removeElement, valueOf } from '../files/syntax';

/** Version 1 served every transport if none was named; a program without HTTP had stdio alone. */
const V1: ServerFacts = { byDefault: { http: true, sse: false, stdio: false }, escapesPrefix: false };

/** What all files together know. */
export interface ProjectFacts {
  /** The classes whose decorator made them controllers of entries. */
  readonly controllers: ReadonlySet<string>;
  /** The controllers that owned the route of the endpoint. */
  readonly endpoints: ReadonlySet<string>;
  /** The program has no HTTP server. */
  readonly isHeadless: boolean;
}

/** Moves every use of `McpModule` in a file. */
export function moveModules(file: MovedFile, facts: ProjectFacts): void {
  const { compiler, old } = file;
  for (const call of nodesIn(file, file.tree, compiler.isCallExpression)) {
    const { expression } = call;
    if (!compiler.isPropertyAccessExpression(expression)) continue;
    if (old.exportedOf(expression.expression) !== 'McpModule') continue;
    file.handled.add(expression.expression);
    moveCall(file, call, expression, facts);
  }
  for (const literal of modulesIn(file)) moveControllers(file, literal, facts);
}

function moveCall(
  file: MovedFile,
  call: TypeScript.CallExpression,
  expression: TypeScript.PropertyAccessExpression,
  facts: ProjectFacts,
): void {
  const { compiler } = file;
  const method = expression.name.text;
  if (method === 'forFeature') return moveForFeature(file, call, expression);
  file.count('modules');
  file.replace(expression.expression, file.want(NEST, 'SigilModule'));
  const options = call.arguments[0] && bare(file, call.arguments[0]);
  const literal = options && compiler.isObjectLiteralExpression(options) ? options : undefined;
  if (!literal) return file.todo(call, 'Write the options of SigilModule.', 'nest');
  const server = { ...V1, byDefault: { ...V1.byDefault, ...(facts.isHeadless && { http: false, stdio: true }) } };
  if (method === 'forRoot') {
    handledTree(file, literal);
    noteDefaults(file, literal, facts);
    return moveServerOptions(file, literal, server);
  }
  moveAsyncOptions(file, literal, server);
}

function noteDefaults(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  { isHeadless }: ProjectFacts,
): void {
  if (!file.from.hasTransports || valueOf(file, literal, 'transport') || isHeadless) return;
  file.note(
    literal,
    'Without a transport, HTTP+SSE and stdio were served, too: write `http: { sse: true }` and `stdio: true` if clients use them.',
    'nest',
  );
}

/** The options that a factory returns, and those of `forRootAsync` itself. */
function moveAsyncOptions(file: MovedFile, literal: TypeScript.ObjectLiteralExpression, facts: ServerFacts): void {
  const { compiler } = file;
  const factory = valueOf(file, literal, 'useFactory');
  const returned = factory && returnedBy(file, factory);
  if (returned) {
    handledTree(file, returned);
    moveServerOptions(file, returned, facts);
  } else if (factory) file.todo(factory, 'Its result are the options of SigilModule.', 'nest');
  for (const name of ['useClass', 'useExisting']) {
    const value = valueOf(file, literal, name);
    if (value)
      file.todo(value, 'The class has a method createSigilOptions, which returns the options of SigilModule.', 'nest');
  }
  const index = literal.properties.findIndex((each) => each.name?.getText() === 'extraProviders');
  const extra = literal.properties[index];
  if (extra && compiler.isPropertyAssignment(extra))
    file.todo(extra, 'Put these providers into a module, and that into imports.', 'nest');
}

function returnedBy(file: MovedFile, factory: TypeScript.Expression): TypeScript.ObjectLiteralExpression | undefined {
  const { compiler } = file;
  const fn = compiler.isArrowFunction(factory) || compiler.isFunctionExpression(factory) ? factory : undefined;
  const body = fn && compiler.isExpression(fn.body) ? bare(file, fn.body) : fn?.body;
  if (body && compiler.isObjectLiteralExpression(body)) return body;
  const returns = body ? nodesIn(file, body, compiler.isReturnStatement) : [];
  const found = returns[0]?.expression && bare(file, returns[0].expression);
  return returns.length === 1 && found && compiler.isObjectLiteralExpression(found) ? found : undefined;
}

/** The classes are found among the providers of any module. */
function moveForFeature(
  file: MovedFile,
  call: TypeScript.CallExpression,
  expression: TypeScript.PropertyAccessExpression,
): void {
  const { compiler } = file;
  const [features] = call.arguments;
  const list = call.parent;
  const names =
    features && compiler.isArrayLiteralExpression(features)
      ? features.elements.map((each) => each.getText())
      : undefined;
  const module = modulesIn(file).find((each) => each.getStart() < call.getStart() && call.getEnd() < each.getEnd());
  const providers = module && valueOf(file, module, 'providers');
  file.count('modules');
  if (names && providers && compiler.isArrayLiteralExpression(list)) {
    const provided = nodesIn(file, providers, compiler.isIdentifier).map(({ text }) => text);
    if (names.every((name) => provided.includes(name)))
      return removeElement(file, list.elements, list.elements.indexOf(call));
  }
  file.replace(expression.expression, file.want(NEST, 'SigilModule'));
  const name = call.arguments[1];
  if (features && name) file.edits.replace(features.getEnd(), name.getEnd(), '');
}

/** Puts the classes that were controllers of entries among the providers. */
function moveControllers(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  { controllers, endpoints }: ProjectFacts,
): void {
  const { compiler } = file;
  const list = valueOf(file, literal, 'controllers');
  if (!list || controllers.size + endpoints.size === 0) return;
  const elements = compiler.isArrayLiteralExpression(list) ? list.elements : [];
  const isGone = (each: TypeScript.Node): boolean => controllers.has(each.getText()) || endpoints.has(each.getText());
  const hides = (each: TypeScript.Node): boolean =>
    !compiler.isIdentifier(each) &&
    nodesIn(file, each, compiler.isIdentifier).some((name) => isGone(name) || compiler.isSpreadElement(name.parent));
  if (!compiler.isArrayLiteralExpression(list) || elements.some(hides))
    file.todo(list, 'Put the classes that had @McpController among the providers.', 'nest');
  const names = elements.map((each) => each.getText()).filter((name) => controllers.has(name));
  const left = elements.filter((each) => !isGone(each)).map((each) => each.getText());
  if (left.length === elements.length) return;
  const property = list.parent;
  const isRenamed = left.length === 0 && names.length > 0 && !valueOf(file, literal, 'providers');
  if (isRenamed && compiler.isPropertyAssignment(property)) {
    file.replace(property.name, 'providers');
    if (names.length < elements.length) file.replace(list, `[${names.join(', ')}]`);
    return;
  }
  if (left.length > 0) file.replace(list, `[${left.join(', ')}]`);
  else
    removeElement(
      file,
      literal.properties,
      literal.properties.findIndex((each) => each === property),
    );
  if (names.length > 0) addToList(file, literal, { list: 'providers', names: names.join(', ') });
}
