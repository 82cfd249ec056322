/** Examples of errors, with their messages, from the table of mistakes in packages/core/test/mistakes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Code that only a test contains, because a compiler would generate it. */
const TEST_ONLY = /\b(emits|decorateMethod|running)\(/;

/**
 * @param root the repository
 * @returns a map: the code of an error -> its examples, each with `title`, `code` and `says`
 */
export function readErrorExamples(root) {
  const folder = join(root, 'packages', 'core', 'test', 'mistakes');
  const files = readdirSync(folder).filter((name) => name.endsWith('-mistakes.ts'));
  const examples = files.flatMap((name) => examplesIn(readFileSync(join(folder, name), 'utf8')));
  const found = new Map();
  for (const example of examples) found.set(example.error, [...(found.get(example.error) ?? []), example]);
  return found;
}

function examplesIn(source) {
  const file = ts.createSourceFile('mistakes.ts', source, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) found.push(...exampleOf(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function exampleOf(node, file) {
  const valueOf = (name) => node.properties.find((each) => each.name?.getText(file) === name)?.initializer;
  const [title, make, says] = ['title', 'make', 'says'].map(valueOf);
  if (!title || !make || !says || !ts.isArrowFunction(make) || !ts.isStringLiteralLike(says)) return [];
  const [, error] = /\[(SIGIL_\w+)\]$/.exec(says.text) ?? [];
  const code = bodyOf(make, file);
  return error === undefined || TEST_ONLY.test(code) ? [] : [{ error, title: title.text, code, says: says.text }];
}

/** The code of an author, without the calls that the test adds. */
function bodyOf({ body }, file) {
  const statements = ts.isBlock(body) ? body.statements.map((each) => each.getText(file)) : [`${body.getText(file)};`];
  return statements
    .filter(
      (text, index, all) =>
        !(index === all.length - 1 && index > 0 && /^return (taking|serverOf\(\{ features: \[\w+\] \}\))/.test(text)),
    )
    .map((text) =>
      text.replace(/^return /, '').replace(/\bserverOf\(\{/g, "createServer({ name: 'library', version: '1.0.0',"),
    )
    .join('\n')
    .replace(/^ {6}/gm, '');
}
