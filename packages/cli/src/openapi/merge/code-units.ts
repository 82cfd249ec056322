/** The parts of a written file that are compared on their own: classes, and the methods of features. */
import { createHash } from 'node:crypto';
import type * as TypeScript from 'typescript';
import type { Compiler } from '../../project/load-typescript';

/** One part of a file. */
export interface CodeUnit {
  /** `Issue`, or `IssuesFeature.listIssues`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Without what a formatter changes. */
  readonly digest: string;
}

/** The units of a file, in their order: classes, functions, types and values. The methods of a class with `@Feature()` are units of their own. */
export function unitsOf(compiler: Compiler, text: string): CodeUnit[] {
  const tree = compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
  return tree.statements.flatMap((statement) => {
    const name = declaredName(compiler, statement);
    if (name === undefined) return [];
    if (!compiler.isClassDeclaration(statement) || !isFeature(compiler, statement))
      return [unit(compiler, { text, node: statement, name })];
    const methods = statement.members.filter((each) => compiler.isMethodDeclaration(each));
    return methods.map((node) => unit(compiler, { text, node, name: `${name}.${node.name.getText()}` }));
  });
}

/** What a statement declares; undefined if it does something else, or declares several names. */
function declaredName(compiler: Compiler, statement: TypeScript.Statement): string | undefined {
  if (compiler.isVariableStatement(statement)) {
    const [only, another] = statement.declarationList.declarations;
    return only && !another && compiler.isIdentifier(only.name) ? only.name.text : undefined;
  }
  const isNamed =
    compiler.isClassDeclaration(statement) ||
    compiler.isFunctionDeclaration(statement) ||
    compiler.isInterfaceDeclaration(statement) ||
    compiler.isTypeAliasDeclaration(statement);
  return isNamed ? statement.name?.text : undefined;
}

/** A digest of code that stays when it is formatted: of its tokens and its comments. */
export function digestOfCode(compiler: Compiler, text: string): string {
  const tree = compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
  const words: string[] = commentsIn(text, tree, compiler);
  const visit = (node: TypeScript.Node): void => {
    if (node.getChildCount(tree) > 0) return node.getChildren(tree).forEach(visit);
    const word = wordOf(compiler, node, tree);
    if (/^[)\]}]$/.test(word) && words.at(-1) === ',') words.pop();
    if (word !== '') words.push(word);
  };
  visit(tree);
  return createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 16);
}

interface UnitSource {
  readonly text: string;
  readonly node: TypeScript.Node;
  readonly name: string;
}

function unit(compiler: Compiler, { text, node, name }: UnitSource): CodeUnit {
  // A comment directly above it belongs to it.
  const comment = compiler.getLeadingCommentRanges(text, node.getFullStart())?.at(-1);
  const isClose = comment !== undefined && !/\n[ \t]*\r?\n/.test(text.slice(comment.end, node.getStart()));
  const start = isClose ? comment.pos : node.getStart();
  const code = text.slice(start, node.getEnd());
  let digest: string | undefined;
  return {
    name,
    start,
    end: node.getEnd(),
    text: code,
    // Many questions are about names alone.
    get digest() {
      return (digest ??= digestOfCode(compiler, wrapped(compiler, node, code)));
    },
  };
}

/** A method alone is no program. */
function wrapped(compiler: Compiler, node: TypeScript.Node, code: string): string {
  return compiler.isMethodDeclaration(node) ? `class Unit {\n${code}\n}` : code;
}

/** Quotes are a matter of style. */
function wordOf(compiler: Compiler, node: TypeScript.Node, tree: TypeScript.SourceFile): string {
  return compiler.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(tree);
}

function commentsIn(text: string, tree: TypeScript.SourceFile, compiler: Compiler): string[] {
  const found = new Map<number, string>();
  const visit = (node: TypeScript.Node): void => {
    for (const { pos, end } of compiler.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      found.set(pos, text.slice(pos, end).replace(/\s+/g, ' '));
    for (const { pos, end } of compiler.getTrailingCommentRanges(text, node.getEnd()) ?? [])
      found.set(pos, text.slice(pos, end).replace(/\s+/g, ' '));
    node.getChildren(tree).forEach(visit);
  };
  visit(tree);
  return [...found].sort(([one], [other]) => one - other).map(([, comment]) => comment);
}

function isFeature(compiler: Compiler, node: TypeScript.ClassDeclaration): boolean {
  return (compiler.getDecorators(node) ?? []).some(
    ({ expression }) => compiler.isCallExpression(expression) && expression.expression.getText() === 'Feature',
  );
}
