/**
 * The exports of the packages -> `docs/reference/api`, a page for each name, from the docstrings. Git ignores these pages. A warning of
 * typedoc, such as a dead link in a docstring, is an error.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Application, LogLevel } from 'typedoc';
import { SetUpFailure } from '../prepare.mjs';
import { publicEntries } from './public-entries.mjs';

/** Writes the pages of all packages. */
export async function writeApiPages(root) {
  const out = join(root, '.sigil', 'api');
  const entries = publicEntries(root);
  const app = await Application.bootstrapWithPlugins(optionsFor(root, entries, out));
  const project = await app.convert();
  if (project === undefined) throw new SetUpFailure('typedoc cannot read the packages: see above.');
  for (const module of project.children ?? []) module.name = nameOf(module, entries);
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasWarnings() || app.logger.hasErrors()) {
    throw new SetUpFailure('The docstrings of the exports have the mistakes above: fix them.');
  }
  const texts = pagesIn(out).map((page) => [page, fix(page, readFileSync(join(out, page), 'utf8'), entries)]);
  put(join(root, 'docs', 'reference', 'api'), new Map(texts));
}

/** Writes changed pages and removes old ones; all others stay, because another process may be reading them. */
function put(folder, texts) {
  mkdirSync(folder, { recursive: true });
  const there = pagesIn(folder);
  for (const page of there.filter((each) => !texts.has(each))) rmSync(join(folder, page));
  for (const [page, text] of texts) {
    if (there.includes(page) && readFileSync(join(folder, page), 'utf8') === text) continue;
    mkdirSync(join(folder, posix.dirname(page)), { recursive: true });
    writeFileSync(join(folder, page), text);
  }
}

function pagesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => name.endsWith('.md'));
}

function optionsFor(root, entries, out) {
  return {
    out,
    entryPoints: entries.map(({ source }) => join(root, source)),
    tsconfig: join(root, 'tsconfig.test.json'),
    plugin: ['typedoc-plugin-markdown'],
    logLevel: LogLevel.Warn,
    // `npm run typecheck` reports type errors.
    skipErrorChecking: true,
    name: 'API',
    readme: 'none',
    router: 'member',
    entryFileName: 'index.md',
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    useCodeBlocks: true,
    sanitizeComments: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    // A signature with the types of its parameters, and a title that is the name.
    expandParameters: true,
    pageTitleTemplates: { member: ({ name }) => name },
  };
}

/** The folder of a module: `core-stores` for `@sigil-mcp/core/stores`. Typedoc names modules after their source: `core/src/stores`. */
function nameOf({ name }, entries) {
  const entry = entries.find(({ source }) => source.replace(/^packages\/|(\/index)?\.ts$/g, '') === name);
  if (entry === undefined) throw new Error(`typedoc read ${name}, which is not an entry of a package.`);
  return entry.folder;
}

/** The constructor of an abstract class that takes nothing: a program gets its objects, and never calls it. */
const UNCALLED = /^## Constructors\n\n### Constructor\n\n```ts\nnew (\w+)\(\): \1;\n```\n[\s\S]*?(?=^## )/m;

/** Uses the import name as the heading of a module, and links the pages that docstrings name. */
function fix(page, text, entries) {
  const up = posix.relative(posix.dirname(posix.join('reference/api', page)), '.');
  const entry = entries.find(({ folder }) => page === `${folder}/index.md`);
  const called = /^abstract /m.test(text) ? text.replace(UNCALLED, '') : text;
  const linked = called.replace(
    /(?<![\w/(])docs\/([\w-]+(?:\/[\w-]+)*\.md)/g,
    (_, target) => `[${target}](${up}/${target})`,
  );
  if (entry !== undefined) return linked.replace(/^# .+$/m, () => `# ${entry.name}`);
  return page === 'index.md' ? describeModules(linked, entries) : linked;
}

/** The list of all modules, by the names that programs import, each with the first sentence of its entry. */
function describeModules(text, entries) {
  return text.replace(/^- \[([\w-]+)\]\(([^)]+)\)$/gm, (line, folder, link) => {
    const entry = entries.find((each) => each.folder === folder);
    return entry === undefined ? line : `- [\`${entry.name}\`](${link}): ${entry.about}`;
  });
}
