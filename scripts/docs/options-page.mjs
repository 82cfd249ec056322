/** `docs/reference/options.md` from the docstrings: every decorator, and every option with its default. */
const INTRODUCTION = `---
keywords: [decorators, options, settings, createServer options, reference, api reference]
---

# Decorators and options

<!-- Written by the build from the docstrings. -->

Every decorator and every option, with its default. Options with a star are required. Editors
show the same text.
`;

/** Phrases by which a docstring describes the default of an option. */
const SAYS_DEFAULT = /left out|by default|without it|^as in `/i;

/** The options whose docstrings do not describe the default ("... if left out"). @param exported the result of `readExports` */
export function optionsWithoutDefault({ optionTypes }) {
  return optionTypes.flatMap(({ name, options }) =>
    options
      .filter(({ optional, about }) => optional && !SAYS_DEFAULT.test(about))
      .map((option) => `${name}.${option.name}`),
  );
}

/** @param exported the result of `readExports` */
export function writeOptionsPage({ optionTypes, decorators }) {
  const names = new Set(optionTypes.map(({ name }) => name));
  const parts = [...new Set(optionTypes.map(({ from }) => from))].map((from) => [
    `## Options of ${from}\n`,
    ...optionTypes.filter((type) => type.from === from).map((type) => writeType(type, names)),
  ]);
  return [INTRODUCTION, writeDecorators(decorators), ...parts.flat()].join('\n');
}

function writeDecorators(decorators) {
  const sorted = [...decorators].sort((one, other) => (one.name < other.name ? -1 : 1));
  return ['## Decorators\n', ...sorted.map(writeDecorator)].join('\n');
}

function writeDecorator({ name, about, calls, parameters }) {
  const code = calls.map((call) => `@${name}${call}`).join('\n');
  const list = parameters.filter((each) => each.about !== '').map((each) => `- \`${each.name}\`: ${plain(each.about)}`);
  return [
    `### \`@${name}\`\n`,
    `${plain(about)}\n`,
    '```text',
    code,
    '```\n',
    ...list,
    ...(list.length > 0 ? [''] : []),
  ].join('\n');
}

/** Options that a type inherits from another type of the page are listed by name, and described there. */
function writeType({ name, about, options }, names) {
  const own = options.filter(({ of }) => of === name || !names.has(of));
  const rows = own.map(
    (option) =>
      `| \`${option.name}\`${option.optional ? '' : ' \\*'} | \`${option.type.replaceAll('|', '\\|')}\` | ${cell(option.about)} |`,
  );
  const table = rows.length > 0 ? ['| option | type | what it is |', '| --- | --- | --- |', ...rows, ''] : [];
  const others = [...new Set(options.filter((option) => !own.includes(option)).map(({ of }) => of))].map((other) => {
    const shared = options.filter(({ of }) => of === other).map((option) => `\`${option.name}\``);
    return `As in [\`${other}\`](#${other.toLowerCase()}): ${shared.join(', ')}.\n`;
  });
  return [`### \`${name}\`\n`, `${plain(about)}\n`, ...table, ...others].join('\n');
}

function cell(text) {
  return plain(text).replaceAll('|', '\\|');
}

/** Docstrings are Markdown; page names become links. */
function plain(text) {
  return text.replace(/\bdocs\/([\w-]+)\.md\b/g, (_, page) => `[${page}](../${page}.md)`);
}
