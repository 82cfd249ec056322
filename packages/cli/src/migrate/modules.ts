/** The modules of a file, and what is moved together. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from './moved-file';
import { nodesIn, valueOf } from './syntax';

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
