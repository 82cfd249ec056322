/** Changes of one condition of a source, as a mistake would make them. */
import ts from 'typescript';

/** A change of a source. */
export interface Mutation {
  /** The place of the text that is replaced: indexes of its first character and of the one after it. */
  readonly start: number;
  readonly end: number;
  readonly to: string;
  /** Of the place, from 1. */
  readonly line: number;
}

/** What is written in place of an operator: bounds lose or get their end, and both halves of a condition matter. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};

/** All mutations of a source: its operators, its conditions turned round, its early ends and calls left out. */
export function mutationsOf(path: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, to: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({ start, end: node.getEnd(), to, line: line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const to = OPERATORS[node.operatorToken.getText(source)];
      if (to !== undefined) add(node.operatorToken, to);
    }
    if (ts.isIfStatement(node)) {
      add(node.expression, `!(${node.expression.getText(source)})`);
      if (isEnd(node.thenStatement) && !node.elseStatement) add(node, '');
    }
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) && !isSuper(node.expression))
      add(node, ';');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isEnd(statement: ts.Statement): boolean {
  const only = ts.isBlock(statement) && statement.statements.length === 1 ? statement.statements[0] : statement;
  return (
    only !== undefined && (ts.isReturnStatement(only) || ts.isThrowStatement(only) || ts.isContinueStatement(only))
  );
}

/** A class without it does not load, which no test has to notice. */
function isSuper({ expression }: ts.CallExpression): boolean {
  return expression.kind === ts.SyntaxKind.SuperKeyword;
}

/** The text with a mutation. */
export function mutated(text: string, { start, end, to }: Mutation): string {
  return text.slice(0, start) + to + text.slice(end);
}
