/** Version 2: strategies become modules, which the module that had them imports. */
import type * as TypeScript from 'typescript';
import { takeEndpointController, addToList, handledTree, modulesIn } from './endpoint-controllers';
import type { MovedFile } from '../files/moved-file';
import { NEST } from '../sources/packages';
import { moveServerOptions } from './move-server-options';
import { strategiesOf, type FoundStrategy, type ProgramStrategies } from './program-strategies';
import { nodesIn, removeElement, valueOf } from '../files/syntax';

/** What is known of the program around the strategies of a file. */
export interface StrategyFacts {
  readonly strategies: ProgramStrategies;
  /** The classes that become providers with entries. */
  readonly controllers: ReadonlySet<string>;
  /** Whether the program has a global prefix, which the endpoint did not have. */
  readonly hasPrefix: boolean;
}

/** Moves the strategies of a file. */
export function moveStrategies(file: MovedFile, facts: StrategyFacts): void {
  const found = strategiesOf(file);
  const importing = new Map<TypeScript.ObjectLiteralExpression, FoundStrategy[]>();
  for (const strategy of found) {
    moveStrategy(file, strategy, facts);
    const target = takeProvider(file, strategy.variable.text) ?? modulesIn(file).at(-1);
    if (target) importing.set(target, [...(importing.get(target) ?? []), strategy]);
    else file.todo(strategy.made, `Put ${strategy.variable.text} into the imports of the root module.`, 'nest');
  }
  for (const [target, strategies] of importing) importAll(file, target, { strategies, facts });
  if (found.length === 0) return;
  for (const statement of nodesIn(file, file.tree, file.compiler.isVariableStatement)) dropTransport(file, statement);
}

function moveStrategy(file: MovedFile, strategy: FoundStrategy, { strategies, hasPrefix }: StrategyFacts): void {
  const { made, options } = strategy;
  const { text } = file;
  file.count('modules');
  file.handled.add(made.expression);
  handledTree(file, options);
  const name = file.want(NEST, 'SigilModule');
  file.edits.replace(made.getStart(), options.getStart(), `${name}.forRoot(`);
  const { names, lost } = strategies.isOneOfSeveral(strategy)
    ? strategies.servedBy(file, options)
    : { names: [], lost: [] };
  moveServerOptions(file, options, {
    byDefault: { http: true, sse: false, stdio: false },
    escapesPrefix: hasPrefix,
    controller: takeEndpointController(file, options),
    features: names,
  });
  const reason = 'of this server, from a file that does not import this one.';
  if (lost.length > 0) file.todo(made, `Name ${lost.join(', ')} in the option features ${reason}`, 'servers');
  if (text.slice(options.getEnd(), made.getEnd()).trim() !== ')')
    file.edits.replace(options.getEnd(), made.getEnd(), ')');
}

/** Takes `{ provide: MCP_STRATEGY, useValue: strategy }` out, and its export. @returns the module that had it */
function takeProvider(file: MovedFile, variable: string): TypeScript.ObjectLiteralExpression | undefined {
  const { compiler, old } = file;
  for (const module of modulesIn(file)) {
    const isProvider = (each: TypeScript.Node): boolean =>
      compiler.isObjectLiteralExpression(each) &&
      old.exportedOf(valueOf(file, each, 'provide')) === 'MCP_STRATEGY' &&
      valueOf(file, each, 'useValue')?.getText() === variable;
    if (!takeFrom(file, module, { name: 'providers', test: isProvider })) continue;
    const isToken = (each: TypeScript.Node): boolean =>
      compiler.isIdentifier(each) && old.exportedOf(each) === 'MCP_STRATEGY';
    takeFrom(file, module, { name: 'exports', test: isToken });
    return module;
  }
  return undefined;
}

/** Takes an element out of a list of a module, and the list if nothing else is in it. @returns whether it was there */
function takeFrom(
  file: MovedFile,
  module: TypeScript.ObjectLiteralExpression,
  { name, test }: { readonly name: string; readonly test: (node: TypeScript.Node) => boolean },
): boolean {
  const list = valueOf(file, module, name);
  if (!list || !file.compiler.isArrayLiteralExpression(list)) return false;
  const index = list.elements.findIndex(test);
  const found = list.elements[index];
  if (!found) return false;
  handledTree(file, found);
  // Classes that were controllers may have been put there.
  const isAlone = list.elements.length === 1 && file.textOf(list) === list.getText();
  if (!isAlone) removeElement(file, list.elements, index);
  else
    removeElement(
      file,
      module.properties,
      module.properties.findIndex((each) => each === list.parent),
    );
  return true;
}

interface Importing {
  readonly strategies: readonly FoundStrategy[];
  readonly facts: StrategyFacts;
}

/** Writes all imports of a module at once. Several servers that a module with entries of its own imports would both serve those. */
function importAll(
  file: MovedFile,
  module: TypeScript.ObjectLiteralExpression,
  { strategies, facts }: Importing,
): void {
  const names = strategies.map(({ variable }) => variable.text).join(', ');
  const areSeveral = strategies.some((each) => facts.strategies.isOneOfSeveral(each));
  if (!areSeveral || !hasEntries(file, module, facts)) return addToList(file, module, { list: 'imports', names });
  const { lineEnd, semicolons } = file.source.style;
  const last = strategies.at(-1)?.variable.parent.parent.parent;
  if (last)
    file.edits.insert(
      last.getEnd(),
      ['', '', `@Module({ imports: [${names}] })`, 'class McpServers {}', ''].join(lineEnd) + (semicolons ? '' : ''),
    );
  addToList(file, module, { list: 'imports', names: 'McpServers' });
}

function hasEntries(
  file: MovedFile,
  module: TypeScript.ObjectLiteralExpression,
  { controllers }: StrategyFacts,
): boolean {
  return nodesIn(file, module, file.compiler.isIdentifier).some(({ text }) => controllers.has(text));
}

/** A constant that holds a transport only, and that no controller of HTTP is made of. */
function dropTransport(file: MovedFile, statement: TypeScript.VariableStatement): void {
  const { compiler, old } = file;
  const [declaration] = statement.declarationList.declarations;
  const { initializer } = declaration ?? {};
  if (!declaration || !initializer || !compiler.isNewExpression(initializer)) return;
  const name = old.exportedOf(initializer.expression);
  if (name !== 'StreamableHttpTransport' && name !== 'StdioTransport') return;
  const uses = nodesIn(file, file.tree, compiler.isIdentifier).filter(
    ({ text }) => text === declaration.name.getText(),
  );
  const isNeeded = uses.some((use) => compiler.isCallExpression(use.parent) && !file.handled.has(use));
  const isExported = statement.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword) === true;
  if (isNeeded || isExported) return;
  handledTree(file, initializer.expression);
  const rest = /^[ \t]*(?:\r?\n){1,2}/.exec(file.text.slice(statement.getEnd()))?.[0].length ?? 0;
  file.edits.replace(statement.getStart(), statement.getEnd() + rest, '');
}
