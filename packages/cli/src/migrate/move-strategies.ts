/** Version 2: the strategy becomes the module, and the program a plain application. */
import type * as TypeScript from 'typescript';
import { NEST, type MovedFile } from './moved-file';
import { takeEndpointController } from './endpoint-controllers';
import { handledTree, modulesIn } from './modules';
import { moveServerOptions } from './move-server-options';
import { nodesIn, removeElement, valueOf } from './syntax';

/** Moves the strategies of a file. @param hasPrefix whether the program has a global prefix, which the endpoint did not have */
export function moveStrategies(file: MovedFile, hasPrefix: boolean): void {
  const { compiler, old } = file;
  for (const made of nodesIn(file, file.tree, compiler.isNewExpression)) {
    if (old.exportedOf(made.expression) !== 'McpStrategy') continue;
    const [options] = made.arguments ?? [];
    const { parent } = made;
    const variable =
      compiler.isVariableDeclaration(parent) && compiler.isIdentifier(parent.name) ? parent.name : undefined;
    if (!options || !compiler.isObjectLiteralExpression(options) || !variable) continue;
    moveStrategy(file, { made, options, variable, hasPrefix });
  }
}

interface Strategy {
  readonly made: TypeScript.NewExpression;
  readonly options: TypeScript.ObjectLiteralExpression;
  readonly variable: TypeScript.Identifier;
  readonly hasPrefix: boolean;
}

function moveStrategy(file: MovedFile, { made, options, variable, hasPrefix }: Strategy): void {
  const { compiler, tree, text } = file;
  file.count('modules');
  file.handled.add(made.expression);
  handledTree(file, options);
  const name = file.want(NEST, 'SigilModule');
  file.edits.replace(made.getStart(), options.getStart(), `${name}.forRoot(`);
  moveServerOptions(file, options, {
    byDefault: { http: true, sse: false, stdio: false },
    escapesPrefix: hasPrefix,
    controller: takeEndpointController(file),
  });
  if (text.slice(options.getEnd(), made.getEnd()).trim() !== ')')
    file.edits.replace(options.getEnd(), made.getEnd(), ')');
  const provided = takeProvider(file, variable.text);
  const target = provided ?? modulesIn(file).at(-1);
  if (!target) {
    file.todo(made, `Put ${variable.text} into the imports of the root module.`, 'nest');
    return;
  }
  importInto(file, target, variable.text);
  for (const statement of nodesIn(file, tree, compiler.isVariableStatement)) dropTransport(file, statement);
}

/** Takes `{ provide: MCP_STRATEGY, useValue: strategy }` out. @returns the module that had it */
function takeProvider(file: MovedFile, variable: string): TypeScript.ObjectLiteralExpression | undefined {
  const { compiler, old } = file;
  for (const module of modulesIn(file)) {
    const providers = valueOf(file, module, 'providers');
    if (!providers || !compiler.isArrayLiteralExpression(providers)) continue;
    const index = providers.elements.findIndex(
      (each) =>
        compiler.isObjectLiteralExpression(each) &&
        old.exportedOf(valueOf(file, each, 'provide')) === 'MCP_STRATEGY' &&
        valueOf(file, each, 'useValue')?.getText() === variable,
    );
    const found = providers.elements[index];
    if (!found) continue;
    handledTree(file, found);
    removeElement(file, providers.elements, index);
    return module;
  }
  return undefined;
}

function importInto(file: MovedFile, module: TypeScript.ObjectLiteralExpression, variable: string): void {
  const { compiler } = file;
  const imports = valueOf(file, module, 'imports');
  if (imports && compiler.isArrayLiteralExpression(imports)) {
    const more = imports.elements.length > 0 ? ', ' : '';
    return file.edits.insert(imports.getStart() + 1, `${variable}${more}`);
  }
  const isOnLines = module.getText().includes('\n');
  const { lineEnd, indentation } = file.source.style;
  const space = isOnLines ? `${lineEnd}${indentation}` : ' ';
  file.edits.insert(module.getStart() + 1, `${space}imports: [${variable}],`);
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
  handledTree(file, initializer.expression);
  if (uses.some((use) => compiler.isCallExpression(use.parent) && !file.handled.has(use))) return;
  const rest = /^[ \t]*(?:\r?\n){1,2}/.exec(file.text.slice(statement.getEnd()))?.[0].length ?? 0;
  file.edits.replace(statement.getStart(), statement.getEnd() + rest, '');
}
