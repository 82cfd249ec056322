/**
 * A page for each error, at the short address `/e/<CODE>`: its meaning, its fix, and code that causes it, if the table of mistakes has
 * an example. Git ignores these pages: docs/errors.md and docs/command-errors.md list the codes, and the site links each code to its page.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readErrorExamples } from './error-examples.mjs';

const { asMarkdown } = createRequire(import.meta.url)('../errors-page.cjs');

/** The number of examples on a page. */
const SHOWN = 2;

/**
 * Writes changed pages, and removes those of old codes.
 * @param root the repository
 * @param groups the errors of all packages, in sections
 * @returns the number of pages
 */
export function writeErrorPages(root, groups) {
  const folder = join(root, 'docs', 'e');
  const pages = errorPages(root, groups);
  mkdirSync(folder, { recursive: true });
  const there = readdirSync(folder);
  for (const name of there.filter((each) => !pages.has(each))) rmSync(join(folder, name));
  for (const [name, text] of pages) {
    const path = join(folder, name);
    if (!there.includes(name) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
  return pages.size;
}

/** File name -> text, for each error. */
export function errorPages(root, groups) {
  const examples = readErrorExamples(root);
  return new Map(groups.flatMap((group) => pagesOf(group, examples)));
}

function pagesOf(group, examples) {
  const codes = Object.keys(group.errors);
  return codes.map((code) => [`${code}.md`, pageOf(code, { group, codes, examples: examples.get(code) ?? [] })]);
}

function pageOf(code, { group, codes, examples }) {
  const { problem, fix } = group.errors[code];
  const at = codes.indexOf(code);
  const others = codes.slice(Math.max(0, at - 5), at + 6).filter((other) => other !== code);
  return [
    '---',
    `description: ${JSON.stringify(`${code}: ${plain(problem)}`.slice(0, 158))}`,
    `keywords: [${code}]`,
    'outline: false',
    '---',
    '',
    `# ${code}`,
    '',
    capital(asMarkdown(problem)),
    '',
    '## How to fix it',
    '',
    capital(asMarkdown(fix)),
    '',
    ...examples
      .slice(0, SHOWN)
      .flatMap((example, index) => exampleOf(example, index === 0 ? 'Example' : 'Another example')),
    '## Where it comes from',
    '',
    `${group.about} *Words like this* stand for names and values of your program.`,
    '',
    ...(others.length === 0
      ? []
      : [
          `Errors of the same kind: ${others
            .slice(0, 12)
            .map((other) => `\`${other}\``)
            .join(', ')}.`,
          '',
        ]),
    group.package === 'cli' ? '[All errors of the command](../command-errors.md)' : '[All errors](../errors.md)',
    '',
  ].join('\n');
}

function exampleOf({ title, code, says, fixed }, heading) {
  return [
    `## ${heading}`,
    '',
    `${capital(title)}:`,
    '',
    '```ts',
    code,
    '```',
    '',
    'The error message:',
    '',
    '```text',
    says,
    '```',
    '',
    ...(fixed === undefined ? [] : ['Fixed:', '', '```ts', fixed, '```', '']),
  ];
}

function plain(text) {
  return text
    .replace(/\{\{(\w+)\}\}/g, '{$1}')
    .replace(/\s+/g, ' ')
    .trim();
}

function capital(text) {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
