/** Finds the requirement ids that test titles name in brackets: `[BASE-001]`, `[BASE-001, TOOL-002]`. */
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import ts from 'typescript';
import { specFiles } from './spec-files.mjs';

const testFunction = /^(describe|each|it|test)/;
const bracketed = /\[([A-Z]+-\d[^\]]*)\]/g;
const idList = /^[A-Z]+-\d{3}(, ?[A-Z]+-\d{3})*$/;

/** Maps each id to the files whose tests name it; titles with unreadable brackets are returned separately. */
export function provenIds(root) {
  const proofs = new Map();
  const malformed = [];
  for (const path of specFiles(root)) {
    const file = relative(root, path).split(sep).join('/');
    for (const title of titlesIn(path)) {
      for (const [, list] of title.matchAll(bracketed)) {
        if (!idList.test(list)) malformed.push({ title, file });
        else for (const id of list.split(/, ?/)) addProof(proofs, id, file);
      }
    }
  }
  return { proofs, malformed };
}

/** The static text of every title of `it`, `test`, `describe…` or `each…`; skipped tests prove nothing. */
function titlesIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const titles = [];
  visit(source);
  return titles;

  function visit(node) {
    if (ts.isCallExpression(node)) {
      const called = chainOf(node.expression);
      if (called.some((name) => name === 'skip' || name === 'todo')) return;
      if (testFunction.test(called[0] ?? '')) titles.push(...node.arguments.map(textOf).filter(Boolean));
    }
    ts.forEachChild(node, visit);
  }
}

/** The names of `it.each(...)`: it, each. */
function chainOf(node) {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...chainOf(node.expression), node.name.text];
  if (ts.isCallExpression(node)) return chainOf(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return chainOf(node.tag);
  return [];
}

function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
  }
  if (ts.isBinaryExpression(node)) return `${textOf(node.left) ?? ''}${textOf(node.right) ?? ''}`;
  return undefined;
}

function addProof(proofs, id, file) {
  const files = proofs.get(id) ?? [];
  if (!files.includes(file)) files.push(file);
  proofs.set(id, files);
}
