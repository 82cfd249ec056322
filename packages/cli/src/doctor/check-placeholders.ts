/** Descriptions that `sigil add` wrote, and that the author has not replaced yet. */
import type * as TypeScript from 'typescript';
import { isPlaceholder } from '../placeholder';
import type { ProjectCheck, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';

/** Checks that no description begins with TODO. */
export const placeholders: ProjectCheck = {
  title: 'Descriptions are written',
  find: (setup) => ownFiles(setup).flatMap((file) => findIn(setup, file)),
};

function findIn(setup: ReadSetup, file: TypeScript.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    const text = descriptionOf(setup, node);
    if (text && isPlaceholder(text.text)) {
      findings.push({
        problem: `${positionOf(setup, text)}: the description is a placeholder: "${text.text}".`,
        fix: 'Write what a model should read instead of the TODO.',
      });
    }
    setup.compiler.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** The text of `@Tool('...')`, `@Describe('...')` and of `description: '...'`. */
function descriptionOf({ compiler }: ReadSetup, node: TypeScript.Node): TypeScript.StringLiteralLike | undefined {
  const isMember = compiler.isPropertyAssignment(node) && node.name.getText() === 'description';
  const isCall = compiler.isDecorator(node) && compiler.isCallExpression(node.expression);
  const text = isMember ? node.initializer : isCall ? node.expression.arguments[0] : undefined;
  return text && compiler.isStringLiteralLike(text) ? text : undefined;
}
