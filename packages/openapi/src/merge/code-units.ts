/** The parts of a written file that are compared on their own: classes, and the methods of features. */
import { createHash } from 'node:crypto';
import type * as TypeScript from 'typescript';
import type { Compiler } from '@sigil-mcp/cli/kit';

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

/** Reads code. A merge asks many things of a few texts: each of them is parsed once. */
export class CodeReader {
  readonly #trees = new Map<string, TypeScript.SourceFile>();
  readonly #units = new Map<string, readonly CodeUnit[]>();

  constructor(readonly compiler: Compiler) {}

  /** The text as a tree. */
  treeOf(text: string): TypeScript.SourceFile {
    const { compiler } = this;
    const tree =
      this.#trees.get(text) ?? compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
    this.#trees.set(text, tree);
    return tree;
  }

  /** The units of a file, in their order: classes, functions, types and values. The methods of a class with `@Feature()` are units of their own. */
  unitsOf(text: string): readonly CodeUnit[] {
    const units = this.#units.get(text) ?? readUnits(this, text);
    this.#units.set(text, units);
    return units;
  }

  /** A digest of code that stays when it is formatted: of its tokens and its comments. */
  digestOf(text: string): string {
    const tree = this.treeOf(text);
    return digestOfWords(wordsOf(this.compiler, { text, node: tree, start: 0 }));
  }
}

function readUnits(reader: CodeReader, text: string): CodeUnit[] {
  const { compiler } = reader;
  return reader.treeOf(text).statements.flatMap((statement) => {
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
  let digest: string | undefined;
  return {
    name,
    start,
    end: node.getEnd(),
    text: text.slice(start, node.getEnd()),
    // Many questions are about names alone.
    get digest() {
      return (digest ??= digestOfWords(unitWords(compiler, { text, node, start })));
    },
  };
}

/** A method as if it stood alone in a class: where it stands does not count. */
function unitWords(compiler: Compiler, source: CodeSource): CodeWords {
  const { comments, words } = wordsOf(compiler, source);
  return { comments, words: compiler.isMethodDeclaration(source.node) ? ['class', 'Unit', '{', ...words, '}'] : words };
}

interface CodeSource {
  readonly text: string;
  readonly node: TypeScript.Node;
  /** Where it begins, with its comment. */
  readonly start: number;
}

interface CodeWords {
  readonly comments: readonly string[];
  readonly words: readonly string[];
}

function digestOfWords({ comments, words }: CodeWords): string {
  return createHash('sha256')
    .update([...comments, ...words].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** The tokens and the comments of a node. */
function wordsOf(compiler: Compiler, { text, node: top, start }: CodeSource): CodeWords {
  const tree = top.getSourceFile();
  const end = top.getEnd();
  const words: string[] = [];
  const comments = new Map<number, string>();
  const visit = (node: TypeScript.Node): void => {
    const around = [
      ...(compiler.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(compiler.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end: last } of around)
      if (pos >= start && last <= end) comments.set(pos, text.slice(pos, last).replace(/\s+/g, ' '));
    const children = node.getChildren(tree);
    if (children.length > 0) return children.forEach(visit);
    // The parser attaches comments to a node that are too far above it to belong to the unit.
    const word = node.getStart(tree) < start ? '' : wordOf(compiler, node, tree);
    if (/^[)\]}]$/.test(word) && words.at(-1) === ',') words.pop();
    if (word !== '') words.push(word);
  };
  visit(top);
  return { comments: [...comments].sort(([one], [other]) => one - other).map(([, comment]) => comment), words };
}

/** Quotes are a matter of style. */
function wordOf(compiler: Compiler, node: TypeScript.Node, tree: TypeScript.SourceFile): string {
  return compiler.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(tree);
}

function isFeature(compiler: Compiler, node: TypeScript.ClassDeclaration): boolean {
  return (compiler.getDecorators(node) ?? []).some(
    ({ expression }) => compiler.isCallExpression(expression) && expression.expression.getText() === 'Feature',
  );
}
