/**
 * The exports of the packages -> `docs/reference/api`, a page for each module that programs of users import, from the declarations that the
 * build writes: what a name is for in words, and its declaration as editors show it. A module with many names has a page for each subject.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { SetUpFailure } from '../prepare.mjs';
import { userEntries } from './public-entries.mjs';
import { putPages } from './put-pages.mjs';

/** The subjects of `@sigil-mcp/core`, in the order of their use, each with the folders of its declarations. */
const SUBJECTS = [
  ['Decorators', /^core\/decorators\//],
  ['Servers', /^core\/(create-server|server|container|description|registry|transports|values)\b/],
  ['Calls', /^core\/(context\/(auth|call|caller|completion|entry-facts|mcp-context|network)\b|calls\/)/],
  ['Observers', /^core\/context\//],
  ['Questions', /^core\/asking\//],
  ['Extensions', /^core\/extensions\//],
  ['Errors and limits', /^(core\/(errors|limits|guards|logging|pipeline)|base\/errors)\//],
  ['Functions', /^core\/(functions|typed|kinds|members|output|scanner)\b/],
  ['Types', /./],
];

/** The module that has a page for each of its subjects. */
const LONG = '@sigil-mcp/core';
/** Characters of a declaration that are shown: the type of a catalogue is as long as the catalogue. */
const SHOWN = 6000;

/** Writes the pages of all modules. */
export function writeApiPages(root) {
  putPages(join(root, 'docs', 'reference', 'api'), apiPages(readModules(root)));
}

/** The modules with their exports: a name that several modules export is described by the first of them. */
function readModules(root) {
  const entries = userEntries(root).map((entry) => ({ ...entry, file: declarationsOf(root, entry) }));
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { skipLibCheck: true, module: ts.ModuleKind.Node16, target: ts.ScriptTarget.ES2022 },
  );
  const checker = program.getTypeChecker();
  const homes = new Map();
  return entries.map((entry) => {
    const source = program.getSourceFile(entry.file);
    if (source === undefined) throw new SetUpFailure(`There is no ${entry.file}: run npm run build.`);
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (!homes.has(target)) homes.set(target, entry);
      return { name: symbol.name, target };
    });
    const sorted = exported.sort((one, other) => one.name.localeCompare(other.name));
    return {
      ...entry,
      own: sorted.filter(({ target }) => homes.get(target) === entry).map((each) => readExport(checker, each)),
      others: sorted
        .filter(({ target }) => homes.get(target) !== entry)
        .map(({ name, target }) => ({ name, home: homes.get(target).name })),
    };
  });
}

function declarationsOf(root, { source }) {
  return join(root, source.replace(/^(packages\/[^/]+)\/src\/(.*)\.ts$/, '$1/dist/$2.d.ts'));
}

function readExport(checker, { name, target }) {
  const declarations = (target.declarations ?? []).filter((each) => !ts.isSourceFile(each));
  const [first] = declarations;
  const file = first?.getSourceFile().fileName ?? '';
  return {
    name,
    from: /\/packages\/([^/]+)\/dist\/(.*)\.d\.ts$/.exec(file)?.slice(1).join('/') ?? '',
    about: ts.displayPartsToString(target.getDocumentationComment(checker)).trim(),
    notes: target.getJsDocTags(checker).map((tag) => ({ kind: tag.name, text: ts.displayPartsToString(tag.text) })),
    code: [...new Set(declarations.map(codeOf))].join('\n'),
  };
}

/** A declaration without its docstring, which stands above it, and without what is private. */
function codeOf(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const code = statement
    .getText()
    .replace(/^(export )?(default )?(declare )?/, '')
    .replace(/^ *(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)? *(private |#private).*\n/gm, '');
  return code.length > SHOWN && !ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)
    ? `${code.slice(0, 200)} ...`
    : code;
}

function apiPages(modules) {
  const pages = modules.flatMap((module) => partsOf(module).map((part) => [part.file, pageOf(module, part)]));
  const lines = modules.map(
    (module) =>
      `- \`${module.name}\`: ${module.about} ${partsOf(module)
        .map(({ file, title }) => `[${title}](${file})`)
        .join(', ')}`,
  );
  const index = [
    '---',
    'description: The API of every module of Sigil that a program imports.',
    'keywords: [api, api reference, exports, types, modules]',
    '---',
    '',
    '# API',
    '',
    'Every module that a program imports, with all that it exports, from the docstrings: what editors show.',
    '',
    ...lines,
    '',
  ];
  return new Map([...pages, ['index.md', index.join('\n')]]);
}

/** The pages of a module: `{ file, title, names }`. */
function partsOf({ name, folder, own }) {
  if (name !== LONG) return [{ file: `${folder}.md`, title: 'all names', names: own }];
  const subjects = own.map((each) => SUBJECTS.findIndex(([, places]) => places.test(each.from)));
  return SUBJECTS.map(([title], index) => ({
    file: `${folder}-${title.toLowerCase().replaceAll(' ', '-')}.md`,
    title,
    names: own.filter((_, at) => subjects[at] === index),
  })).filter(({ names }) => names.length > 0);
}

function pageOf({ name, about, others, own }, { title, names }) {
  const isWhole = names.length === own.length;
  return [
    '---',
    `description: ${JSON.stringify(`${isWhole ? name : `${title} of ${name}`}: ${about}`.slice(0, 158))}`,
    `keywords: [${JSON.stringify(name)}]`,
    'outline: 2',
    '---',
    '',
    isWhole ? `# ${name}` : `# ${name}: ${title.toLowerCase()}`,
    '',
    asText(about),
    '',
    ...names.flatMap(sectionOf),
    ...(isWhole && others.length > 0 ? ['## Names of other modules', '', ...others.map(seeOther), ''] : []),
  ].join('\n');
}

function seeOther({ name, home }) {
  return `- \`${name}\`, as of \`${home}\``;
}

function sectionOf({ name, about, notes, code }) {
  // In a docstring, a line that begins with @ stands between backticks.
  const examples = notes
    .filter(({ kind }) => kind === 'example')
    .map(({ text }) => text.replace(/```(?:ts\n)?/g, '').trim());
  const shown = notes.filter(({ kind, text }) => text.trim() !== '' && SHOWN_TAGS[kind] !== undefined);
  return [
    `## ${name}`,
    '',
    ...(about === '' ? [] : [asText(about), '']),
    ...shown.map(({ kind, text }) => `- ${SHOWN_TAGS[kind]}${asText(nameFirst(kind, text))}`),
    ...(shown.length > 0 ? [''] : []),
    // Without colours, which make a page four times as large.
    ...['```text', code, '```', ''],
    ...examples.flatMap((example) => ['Example:', '', '```text', example, '```', '']),
  ];
}

/** The tags of docstrings that a page shows, with the word before each. */
const SHOWN_TAGS = {
  param: '',
  typeParam: '',
  returns: 'Returns ',
  throws: 'Throws ',
  deprecated: 'Deprecated: ',
  see: 'See ',
};

function nameFirst(kind, text) {
  if (kind === 'param' || kind === 'typeParam') return text.replace(/^(\S+)\s+(?:- )?/, '`$1`: ');
  return text;
}

/** Docstrings are Markdown: what looks like HTML is text, and the pages that they name are links. */
function asText(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('')
    .replace(/(?<![\w/(])docs\/([\w-]+(?:\/[\w-]+)*\.md)/g, (_, target) => `[${target}](../../${target})`);
}
