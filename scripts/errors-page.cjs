/**
 * `docs/errors.md` from the catalogue: an introduction that is written by hand here, then every code with its two sentences.
 * Used by scripts/write-errors.mjs, and by the spec that compares page and sources.
 */
const INTRODUCTION = `---
keywords: [error codes, errors, error reference, exceptions, DefinitionError, SigilError, ProtocolError, exit code]
description: Every error code of Sigil, with what it means and how to fix it, and what clients see of errors.
---

# Errors

<!-- Written by \`npm run errors\` from packages/core/src/errors/catalogue.ts. -->

Every error that Sigil makes for you, the author of a server, has a stable code and says what is wrong and how to fix it.
*Words like this* stand for what is filled in. There are five kinds:

- **Mistakes in a definition.** \`createServer\`, \`server.override\` and \`server.registry\` throw one \`DefinitionError\` with all of
  them in \`problems\`, each with \`code\`, \`where\` (class, method, parameter), \`what\` and \`fix\`. A form is a definition too:
  \`context.elicit\` throws one for a class that no form can be made of.
- **Errors while it runs.** A \`SigilError\` is thrown to you: ask for its \`code\`, there are no classes for single mistakes.
  \`InvalidOutput\` and \`SwallowedSuspension\` are two of them that have a name. \`InvalidAnswer\` tells what is wrong with a client's
  answer. An \`EndedCall\` is thrown by nobody: it is the \`reason\` of \`context.signal\`.
- **Your own words.** A \`ToolFailure\` is what a tool says to the model, a \`Denial\` what a guard says to the caller. They travel as
  they are and have no code of ours. \`AskFailure\` is a \`ToolFailure\` that says why there is no answer; its \`reason\` is \`'timeout'\`,
  \`'refused'\` or \`'unreachable'\`, and its \`code\` is that of the client's own error.
- **What ends the command.** \`sigil\` prints what is wrong, the code behind it, and in a second line how to fix it. For
  programs that run it from within it is a \`CliFailure\` with \`code\`, \`message\`, \`fix\` and \`exitCode\`.
- **What clients see.** A \`ProtocolError\` travels under the number that JSON-RPC or MCP has for it. Everything else is masked:
  the client gets an id, and the log has the error, with its cause, under this id.
`;

/** @param groups `CATALOGUE_GROUPS` of the catalogue */
function writeErrorsPage(groups) {
  return [INTRODUCTION, ...groups.map(writeGroup)].join('\n');
}

function writeGroup({ title, about, errors }) {
  const rows = Object.entries(errors).map(
    ([code, { what, fix }]) => `| \`${code}\` | ${asMarkdown(what)} | ${asMarkdown(fix)} |`,
  );
  const head = ['| code | what is wrong | how to fix it |', '| --- | --- | --- |'];
  return [`## ${title}`, '', about, '', ...head, ...rows, ''].join('\n');
}

/** What is filled in is set in italics; all other signs are what they are, but that words in backticks are code. */
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

module.exports = { asMarkdown, writeErrorsPage };
