/**
 * `docs/errors.md` and `docs/command-errors.md` from the errors of all packages: an introduction from this file, then every code with its
 * two sentences.
 */
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
- **Errors of the command** have [a page of their own](command-errors.md).
- **What clients see.** A \`ProtocolError\` is sent with its number in JSON-RPC or MCP. All other errors are masked:
  the client receives an id, and the log has the error, with its cause, under this id.
`;

const COMMAND_INTRODUCTION = `---
keywords: [sigil command errors, command line errors, error codes, CliFailure, exit code, exit status]
description: Every error code of the sigil command, with what it means and how to fix it.
---

# Errors of the command

<!-- Written by the build from the errors of the packages (scripts/error-groups.cjs). -->

\`sigil\` prints the problem with its code, and the fix in a second line. For programs that call it as a function the error is a
\`CliFailure\` with \`code\`, \`message\`, \`fix\` and \`exitCode\`. *Words like this* are placeholders. Errors of servers, tests and
clients are on [another page](errors.md).
`;

/** The command line, and the commands with packages of their own. */
const COMMAND_PACKAGES = ['cli', 'openapi', 'migrate', 'publish', 'inspector'];

/**
 * The pages that list errors: file name -> text. What the command can say is on a page of its own, so that neither is too long.
 * @param groups the errors of all packages, in sections, each with its package
 */
function writeErrorsPages(groups) {
  const ofCommand = ({ package: name }) => COMMAND_PACKAGES.includes(name);
  return new Map([
    [
      'errors.md',
      writePage(
        INTRODUCTION,
        groups.filter((group) => !ofCommand(group)),
      ),
    ],
    ['command-errors.md', writePage(COMMAND_INTRODUCTION, groups.filter(ofCommand))],
  ]);
}

function writePage(introduction, groups) {
  return [introduction, ...groups.map(writeGroup)].join('\n');
}

function writeGroup({ title, about, errors }) {
  const rows = Object.entries(errors).map(
    ([code, { problem, fix }]) => `| \`${code}\` | ${asMarkdown(problem)} | ${asMarkdown(fix)} |`,
  );
  const head = ['| code | what is wrong | how to fix it |', '| --- | --- | --- |'];
  return [`## ${title}`, '', about, '', ...head, ...rows, ''].join('\n');
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

module.exports = { asMarkdown, writeErrorsPages };
