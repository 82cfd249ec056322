/** `docs/reference/options` from the docstrings: every decorator, and every option with its default, a page for each package. */
const INTRODUCTION = `---
keywords: [decorators, options, settings, createServer options, reference, api reference]
---

# Decorators and options

<!-- Written by the build from the docstrings. -->

Every decorator, and every option with its default, by package. Options with a star are required. Editors show the same text.
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

/**
 * @param exported the result of `readExports`
 * @returns file name -> text: the decorators with the list of packages, and a page for each package
 */
export function optionsPages({ optionTypes, decorators }) {
  const pageOf = new Map(optionTypes.map(({ name, from }) => [name, pageName(from)]));
  const packages = [...new Set(optionTypes.map(({ from }) => packageName(from)))];
  const pages = packages.map((name) => {
    const types = optionTypes.filter(({ from }) => packageName(from) === name);
    return [`${pageName(name)}.md`, writePackage(name, types, pageOf)];
  });
  const list = packages.map((name) => {
    const types = optionTypes.filter(({ from }) => packageName(from) === name);
    const links = types.map((type) => `[\`${type.name}\`](${pageName(name)}.md#${type.name.toLowerCase()})`);
    return `- [${name}](${pageName(name)}.md): ${links.join(', ')}`;
  });
  const index = [INTRODUCTION, '## Options\n', ...list, '', writeDecorators(decorators)].join('\n');
  return new Map([['index.md', index], ...pages]);
}

/** `@sigil-mcp/core` of `@sigil-mcp/core/stores`. */
function packageName(from) {
  return from.split('/').slice(0, 2).join('/');
}

function pageName(from) {
  return packageName(from).split('/')[1];
}

function writePackage(name, types, pageOf) {
  const modules = [...new Set(types.map(({ from }) => from))];
  const parts = modules.flatMap((from) => [
    `## Options of ${from}\n`,
    ...types.filter((type) => type.from === from).map((type) => writeType(type, pageOf)),
  ]);
  return [
    `---\nkeywords: [options, settings, ${JSON.stringify(name)}]\ndescription: Every option of ${name}, with its default.\n---\n`,
    `# Options of ${name}\n`,
    'Options with a star are required. [All packages and decorators](index.md).\n',
    ...parts,
  ].join('\n');
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
function writeType({ name, about, options }, pageOf) {
  const own = options.filter(({ of }) => of === name || !pageOf.has(of));
  const rows = own.map(
    (option) =>
      `| \`${option.name}\`${option.optional ? '' : ' \\*'} | \`${option.type.replaceAll('|', '\\|')}\` | ${cell(option.about)} |`,
  );
  const table = rows.length > 0 ? ['| option | type | what it is |', '| --- | --- | --- |', ...rows, ''] : [];
  const others = [...new Set(options.filter((option) => !own.includes(option)).map(({ of }) => of))].map((other) => {
    const shared = options.filter(({ of }) => of === other).map((option) => `\`${option.name}\``);
    return `As in [\`${other}\`](${pageOf.get(other)}.md#${other.toLowerCase()}): ${shared.join(', ')}.\n`;
  });
  return [`### \`${name}\`\n`, `${plain(about)}\n`, ...table, ...others].join('\n');
}

function cell(text) {
  return plain(text).replaceAll('|', '\\|');
}

/** Docstrings are Markdown; page names become links. */
function plain(text) {
  return text.replace(/\bdocs\/([\w-]+)\.md\b/g, (_, page) => `[${page}](../../${page}.md)`);
}
