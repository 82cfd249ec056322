/** `docs/reference/options.md` from the docstrings: every decorator, and every option with what it is if left out. */
const INTRODUCTION = `---
keywords: [decorators, options, settings, createServer options, reference, api reference]
---

# Decorators and options

<!-- Written by \`npm run reference\` from the docstrings. -->

Every decorator, and every option of what takes options, with what it is if it is left out. An option with a star has to be there. Editors
show the same text.
`;

/** What a docstring may say of an option that is not given. */
const SAYS_DEFAULT = /left out|by default|without it|^as in `/i;

/** @param exported what \`readExports\` returns */
export function writeOptionsPage({ optionTypes, decorators }) {
  const silent = optionTypes.flatMap(({ name, options }) =>
    options
      .filter(({ optional, about }) => optional && !SAYS_DEFAULT.test(about))
      .map((option) => `${name}.${option.name}`),
  );
  if (silent.length > 0)
    throw new Error(`The docstrings of these options do not say what they are if left out: ${silent.join(', ')}`);
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

/** Options that come from another type of the page are named with it, and described there. */
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

/** Docstrings are Markdown; pages that they name become links. */
function plain(text) {
  return text.replace(/\bdocs\/([\w-]+)\.md\b/g, (_, page) => `[${page}](../${page}.md)`);
}
