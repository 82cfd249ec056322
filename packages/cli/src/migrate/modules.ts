/** The modules of a file, and what is moved together. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from './moved-file';
import { nodesIn } from './syntax';

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
