/** Examples of errors, with their messages and their fixes, from the table of mistakes in packages/core/test/mistakes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { COMPILER_EXAMPLES } from './compiler-examples.mjs';

/** Code that only a test contains, because a compiler would generate it or because it evades the types. */
const TEST_ONLY = /\b(emits|decorateMethod|given)\(|\[add\(/;

/**
 * @param root the repository
 * @returns a map: the code of an error -> its examples, each with `title`, `code`, `says`, and in the first one `fixed`
 */
export function readErrorExamples(root) {
  const folder = join(root, 'packages', 'core', 'test', 'mistakes');
  const read = (pattern, examplesIn) =>
    readdirSync(folder)
      .filter((name) => pattern.test(name))
      .flatMap((name) => examplesIn(sourceOf(readFileSync(join(folder, name), 'utf8'))));
  const fixes = new Map(read(/^fixed-.*\.ts$/, fixesIn));
  const found = new Map();
  for (const { error, ...example } of read(/-mistakes\.ts$/, mistakesIn)) {
    const others = found.get(error) ?? [];
    const shown = COMPILER_EXAMPLES[error] ? ofCompiler(error, example) : example;
    if (TEST_ONLY.test(shown.code) || (COMPILER_EXAMPLES[error] && others.length > 0)) continue;
    const fixed = others.length === 0 ? fixes.get(error) : undefined;
    found.set(error, [...others, { ...(fixed && { fixed }), ...shown }]);
  }
  return found;
}

function ofCompiler(error, { says }) {
  const { title, wrong, fixed } = COMPILER_EXAMPLES[error];
  return { title, code: wrong, says, fixed };
}

/** A file, its constant texts, and its classes by their names. */
function sourceOf(text) {
  const file = ts.createSourceFile('mistakes.ts', text, ts.ScriptTarget.Latest, true);
  const classes = new Map();
  const texts = new Map();
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer && ts.isStringLiteralLike(initializer)) texts.set(name.getText(file), initializer.text);
    } else if (statement.name && !ts.isFunctionDeclaration(statement))
      classes.set(statement.name.text, statement.getText(file));
  }
  return { file, classes, texts };
}

function mistakesIn(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) found.push(...mistakeOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source.file);
  return found;
}

function mistakeOf(node, source) {
  const valueOf = (name) => node.properties.find((each) => each.name?.getText(source.file) === name)?.initializer;
  const [title, make, said] = ['title', 'make', 'says'].map(valueOf);
  if (!title || !make || !said || !ts.isArrowFunction(make)) return [];
  const says = textOf(said, source);
  const [, error] = /\[(SIGIL_\w+)\]$/.exec(says) ?? [];
  return error === undefined ? [] : [{ error, title: title.text, code: codeOf(make, source), says }];
}

/** The text of a literal, which may be a template of constant texts. */
function textOf(node, { file, texts }) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  const spans = node.templateSpans.map(
    ({ expression, literal }) => (texts.get(expression.getText(file)) ?? '') + literal.text,
  );
  return node.head.text + spans.join('');
}

/** Pairs of a code and what fixes it. */
function fixesIn(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer) && /^SIGIL_/.test(node.name.getText()))
      found.push([node.name.getText(), codeOf(node.initializer, source)]);
    else ts.forEachChild(node, visit);
  };
  visit(source.file);
  return found;
}

/** The code of an author: without the calls that the test adds, with the classes of the file that it uses. */
function codeOf({ body }, { file, classes }) {
  const statements = ts.isBlock(body)
    ? body.statements.map((each) => fullText(each, file))
    : [`${body.getText(file)};`];
  const code = statements
    .filter((text, index, all) => index === 0 || index < all.length - 1 || !ADDED.test(text))
    .map((text) =>
      outdent(text)
        .replace(/^return /m, '')
        .replace(/\brunning\(\)/g, 'server')
        .replace(/\bserverOf\(\{ name\b/g, 'createServer({ name')
        .replace(/\bserverOf\(\{/g, "createServer({ name: 'library', version: '1.0.0',")
        .replace(/(createServer\(\{ name: '[^']*')(?!, version)/, "$1, version: '1.0.0'")
        .replace(/ as (never|object)\b/g, ''),
    )
    .reduce((above, text) => above + (/\n/.test(above + text) ? '\n\n' : '\n') + text);
  return [...used(code, classes), code].join('\n\n');
}

/** What makes a server of the classes above it, and says nothing else. */
const ADDED = /^return (taking|serverOf\(\{ features: \[\w+\](, strict: true)? \}\))/;

/** The classes that a code names, and those that they name. */
function used(code, classes, seen = new Set()) {
  return [...classes].flatMap(([name, text]) => {
    if (seen.has(name) || !new RegExp(`\\b${name}\\b`).test(code) || new RegExp(`\\bclass ${name}\\b`).test(code))
      return [];
    seen.add(name);
    return [...used(text, classes, seen), text];
  });
}

/** A statement with the comment above it. */
function fullText(node, file) {
  return file.text
    .slice(node.getFullStart(), node.getEnd())
    .replace(/^\s*\n/, '')
    .trimStart();
}

/** Lines after the first one without the indentation of the last. */
function outdent(text) {
  const [indent = ''] = /^ */.exec(text.split('\n').at(-1)) ?? [];
  return text.replaceAll(`\n${indent}`, '\n');
}
