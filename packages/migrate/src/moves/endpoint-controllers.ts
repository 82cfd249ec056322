/** Version 2: the controller that owned the route of the endpoint, for its guards. `SigilModule` has options in its place. */
import type * as TypeScript from 'typescript';
import { importsFrom } from '../files/imported-names';
import type { MovedFile } from '../files/moved-file';
import { nodesIn, valueOf } from '../files/syntax';

/** What a controller says of the endpoint. */
export interface EndpointController {
  /** The text of a list; undefined without guards. */
  readonly guards: string | undefined;
  /** The text of a path; undefined for `/mcp`. */
  readonly path: string | undefined;
}

/**
 * Takes the controller of a strategy out. Modules lose it with the other controllers.
 * @param options of the strategy: the controller is that of one of its transports
 */
export function takeEndpointController(
  file: MovedFile,
  options: TypeScript.ObjectLiteralExpression,
): EndpointController | undefined {
  const { compiler } = file;
  const transports = nodesIn(file, options, compiler.isIdentifier).map(({ text }) => text);
  for (const node of nodesIn(file, file.tree, compiler.isClassDeclaration)) {
    if (!isEndpointController(file, node)) continue;
    const base = baseOf(file, node);
    if (!base || !nodesIn(file, base, compiler.isIdentifier).some(({ text }) => transports.includes(text))) continue;
    for (const clause of node.heritageClauses ?? []) handledTree(file, clause);
    removeWhole(file, node);
    const [controller, guards] = [callOf(file, node, 'Controller'), callOf(file, node, 'UseGuards')];
    const texts = guards?.arguments.map((each) => each.getText()).join(', ');
    return { guards: texts === undefined ? undefined : `[${texts}]`, path: pathOf(file, controller) };
  }
  return undefined;
}

/** Whether a class owned the route of the endpoint, and did nothing else than to guard it. */
export function isEndpointController(file: MovedFile, node: TypeScript.ClassDeclaration): boolean {
  const known = ['Controller', 'UseGuards'].filter((name) => callOf(file, node, name) !== undefined);
  const decorators = file.compiler.getDecorators(node) ?? [];
  return baseOf(file, node) !== undefined && node.members.length === 0 && decorators.length === known.length;
}

function callOf(
  { compiler, tree }: MovedFile,
  node: TypeScript.ClassDeclaration,
  name: string,
): TypeScript.CallExpression | undefined {
  const common = importsFrom(compiler, tree, '@nestjs/common');
  return (compiler.getDecorators(node) ?? [])
    .map(({ expression }) => expression)
    .filter((each) => compiler.isCallExpression(each))
    .find(({ expression }) => common.exportedOf(expression) === name);
}

function baseOf({ compiler, old }: MovedFile, node: TypeScript.ClassDeclaration): TypeScript.Expression | undefined {
  const base = node.heritageClauses?.[0]?.types[0]?.expression;
  const isEndpoint =
    base && compiler.isCallExpression(base) && old.exportedOf(base.expression) === 'McpHttpControllerFor';
  return isEndpoint ? base : undefined;
}

function pathOf({ compiler }: MovedFile, controller: TypeScript.CallExpression | undefined): string | undefined {
  const path = controller?.arguments[0];
  if (!path || !compiler.isStringLiteralLike(path) || path.text === 'mcp') return undefined;
  return `'/${path.text.replace(/^\//, '')}'`;
}

/** With its comment and the empty line behind it. */
function removeWhole({ text, edits }: MovedFile, node: TypeScript.Node): void {
  const start = text.slice(node.getFullStart()).search(/\S/) + node.getFullStart();
  const rest = /^[ \t]*(?:\r?\n){1,2}/.exec(text.slice(node.getEnd()))?.[0].length ?? 0;
  edits.replace(start, node.getEnd() + rest, '');
}

/** The literals of `@Module` in a file. */
export function modulesIn(file: MovedFile): TypeScript.ObjectLiteralExpression[] {
  const { compiler } = file;
  return nodesIn(file, file.tree, compiler.isDecorator).flatMap(({ expression }) => {
    if (!compiler.isCallExpression(expression) || expression.expression.getText() !== 'Module') return [];
    const [literal] = expression.arguments;
    return literal && compiler.isObjectLiteralExpression(literal) ? [literal] : [];
  });
}

/** The names of the old package within a node: their use is moved with it. */
export function handledTree(file: MovedFile, node: TypeScript.Node): void {
  for (const each of nodesIn(file, node, file.compiler.isIdentifier)) file.handled.add(each);
}

/** Puts names at the start of a list of a module, also if it is another expression than a literal. A module has each list once. */
export function addToList(
  file: MovedFile,
  module: TypeScript.ObjectLiteralExpression,
  { list, names }: { readonly list: 'imports' | 'providers'; readonly names: string },
): void {
  const { compiler, edits } = file;
  const value = valueOf(file, module, list);
  if (!value) return startList(file, module, `${list}: [${names}]`);
  if (compiler.isArrayLiteralExpression(value)) {
    const more = value.elements.length > 0 ? ', ' : '';
    return edits.insert(value.getStart() + 1, `${names}${more}`);
  }
  const isShorthand = compiler.isShorthandPropertyAssignment(value.parent);
  const isSimple = compiler.isIdentifier(value) || compiler.isCallExpression(value);
  edits.insert(value.getStart(), `${isShorthand ? `${list}: ` : ''}[${names}, ...${isSimple ? '' : '('}`);
  edits.insert(value.getEnd(), `${isSimple ? '' : ')'}]`);
}

function startList(file: MovedFile, module: TypeScript.ObjectLiteralExpression, property: string): void {
  if (module.properties.length === 0) return file.replace(module, `{ ${property} }`);
  const { lineEnd, indentation } = file.source.style;
  const space = module.getText().includes('\n') ? `${lineEnd}${indentation}` : ' ';
  file.edits.insert(module.getStart() + 1, `${space}${property},`);
}
