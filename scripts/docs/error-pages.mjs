/**
 * The errors of all packages, as pages: `docs/errors` has a page for each kind, with an anchor for each code and its cause, its fix, and code
 * that causes it, if the table of mistakes has an example. A single error, as `sigil explain` prints it, is a page, too.
 */
import { slugOf } from '../../docs/.vitepress/links.mjs';
import { readErrorExamples } from './error-examples.mjs';
import { pageText } from './page-text.mjs';

const INTRODUCTION = `---
keywords: [error codes, errors, error reference, exceptions, DefinitionError, SigilError, ProtocolError, exit code]
description: Every error code of Sigil, with what it means and how to fix it, and what clients see of errors.
---

# Errors

<!-- Written by the build from the errors of the packages (scripts/error-groups.cjs). -->

Every error that Sigil reports to you, the author of a server, has a stable code, and a message with the problem and its fix.
*Words like this* are placeholders. There are five kinds:

- **Mistakes in a definition.** \`createServer\`, \`server.override\` and \`server.registry\` throw one \`DefinitionError\` with all of
  them in \`problems\`, each with \`code\`, \`where\` (class, method, parameter), \`problem\` and \`fix\`. A form is a definition too:
  \`context.elicit\` throws one for a class that cannot become a form.
- **Errors at run time.** Sigil throws a \`SigilError\`: check its \`code\`, because most errors have no class of their own.
  Two of them have one: \`InvalidOutput\` and \`SwallowedSuspension\`. \`InvalidAnswer\` describes the problem with a client's
  answer. An \`EndedCall\` is never thrown: it is the \`reason\` of \`context.signal\`.
- **Your own messages.** A \`ToolFailure\` is the message of a tool to the model, a \`Denial\` the message of a guard to the caller. They are
  sent unchanged and have no code of Sigil. \`AskFailure\` is a \`ToolFailure\` that says why there is no answer; its \`reason\` is \`'timeout'\`,
  \`'refused'\` or \`'unreachable'\`, and its \`code\` is that of the client's own error.
- **Errors of the command.** \`sigil\` prints the problem with its code, and the fix in a second line. For programs that call it as a
  function the error is a \`CliFailure\` with \`code\`, \`message\`, \`fix\` and \`exitCode\`.
- **What clients see.** A \`ProtocolError\` is sent with its number in JSON-RPC or MCP. All other errors are masked:
  the client receives an id, and the log has the error, with its cause, under this id.
`;

/** The number of examples of a single error. */
const SHOWN = 2;

/** The command line, and the commands with packages of their own. */
const COMMAND_PACKAGES = ['cli', 'install', 'openapi', 'migrate', 'publish', 'inspector'];

/**
 * The pages of `docs/errors`: an introduction with the list of all kinds, and a page for each.
 * @param root the repository
 * @param groups the errors of all packages, in sections, each with its package
 * @returns file name -> text
 */
export function errorReference(root, groups) {
  const examples = readErrorExamples(root);
  const isOfCommand = ({ package: name }) => COMMAND_PACKAGES.includes(name);
  const listed = (title, chosen) => [`## ${title}`, '', ...chosen.map(lineOf), ''];
  const index = [
    INTRODUCTION,
    ...listed(
      'Servers, tests and clients',
      groups.filter((group) => !isOfCommand(group)),
    ),
    ...listed('The command', groups.filter(isOfCommand)),
  ].join('\n');
  return new Map([
    ['index.md', index],
    ...groups.map((group) => [`${pageName(group)}.md`, groupPage(group, examples)]),
  ]);
}

/**
 * The short address of each error, `/e/<CODE>`: a file of a few bytes that leads to its place, and the error as Markdown.
 * @returns file name -> text
 */
export function errorRedirects(root, groups, base) {
  const redirects = groups.flatMap((group) =>
    Object.keys(group.errors).map((code) => {
      const address = `${base}errors/${pageName(group)}#${slugOf(code)}`;
      return [
        `${code}.html`,
        `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">${code}</a>\n`,
      ];
    }),
  );
  return new Map([
    ...redirects,
    ...[...errorPages(root, groups)].map(([name, text]) => [name, pageText(`e/${name}`, text)]),
  ]);
}

/** @returns file name -> text, for each error */
export function errorPages(root, groups) {
  const examples = readErrorExamples(root);
  return new Map(
    groups.flatMap((group) => Object.keys(group.errors).map((code) => [`${code}.md`, pageOf(code, group, examples)])),
  );
}

function pageName({ title }) {
  return slugOf(title);
}

function lineOf(group) {
  const count = Object.keys(group.errors).length;
  return `- [${group.title}](${pageName(group)}.md) (${count}): ${group.about}`;
}

function groupPage(group, examples) {
  const codes = Object.keys(group.errors);
  return [
    '---',
    `description: ${JSON.stringify(plain(`${group.title}, its errors: ${group.about}`).slice(0, 158))}`,
    '---',
    '',
    `# Errors: ${group.title}`,
    '',
    `${group.about} *Words like this* stand for names and values of your program. [What an error is](index.md).`,
    '',
    ...codes.flatMap((code) => sectionOf(code, group.errors[code], examples.get(code) ?? [])),
  ].join('\n');
}

function sectionOf(code, { problem, fix }, [example]) {
  return [
    `## ${code}`,
    '',
    capital(asMarkdown(problem)),
    '',
    `**Fix.** ${capital(asMarkdown(fix))}`,
    '',
    ...(example === undefined
      ? []
      : [
          '```text',
          example.code,
          '```',
          '',
          ...(example.fixed === undefined ? [] : ['Fixed:', '', '```text', example.fixed, '```', '']),
        ]),
  ];
}

function pageOf(code, group, examples) {
  const { problem, fix } = group.errors[code];
  return [
    '---',
    `description: ${JSON.stringify(`${code}: ${plain(problem)}`.slice(0, 158))}`,
    `keywords: [${code}]`,
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
    ...(examples.get(code) ?? [])
      .slice(0, SHOWN)
      .flatMap((example, index) => exampleOf(example, index === 0 ? 'Example' : 'Another example')),
    '## Where it comes from',
    '',
    `${group.about} *Words like this* stand for names and values of your program.`,
    '',
    `[All errors](../errors/index.md)`,
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

/** Placeholders become italics; other characters are escaped, except in words with backticks, which stay code. */
function asMarkdown(text) {
  const parts = text.split(/(`[^`]*[^`\s][^`]*`)(?=[\s,.);:?]|$)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : plainMarkdown(part))).join('');
}

function plainMarkdown(text) {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<>|[\]$~]/g, '\\$&')
    .replace(/\{\{(\w+)\}\}|\{(\w+)\}/g, (_all, plain, name) => (plain === undefined ? `*${name}*` : `{${plain}}`));
}
