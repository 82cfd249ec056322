/**
 * What the packages export -> `docs/reference/api`, a page for each name, from the docstrings. Git keeps none of it. A warning of
 * typedoc, such as a link in a docstring that leads nowhere, fails.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Application, LogLevel } from 'typedoc';
import { SetUpFailure } from '../prepare.mjs';
import { publicEntries } from './public-entries.mjs';

/** Writes the pages of all packages. */
export async function writeApiPages(root) {
  const out = join(root, 'docs', 'reference', 'api');
  const entries = publicEntries(root);
  const app = await Application.bootstrapWithPlugins(optionsFor(root, entries, out));
  const project = await app.convert();
  if (project === undefined) throw new SetUpFailure('typedoc cannot read the packages: see above.');
  for (const module of project.children ?? []) module.name = nameOf(module, entries);
  app.validate(project);
  rmSync(out, { recursive: true, force: true });
  await app.generateOutputs(project);
  if (app.logger.hasWarnings() || app.logger.hasErrors()) {
    throw new SetUpFailure('The docstrings of what is exported have the mistakes above: mend them.');
  }
  for (const name of readdirSync(out, { recursive: true })) {
    if (name.endsWith('.md')) mend(out, name.replaceAll('\\', '/'), entries);
  }
}

function optionsFor(root, entries, out) {
  return {
    out,
    entryPoints: entries.map(({ source }) => join(root, source)),
    tsconfig: join(root, 'tsconfig.test.json'),
    plugin: ['typedoc-plugin-markdown'],
    logLevel: LogLevel.Warn,
    // `npm run typecheck` looks for errors of types.
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
  };
}

/** The folder of a module: `core-stores` of `@sigil-mcp/core/stores`. Typedoc calls it after its source: `core/src/stores`. */
function nameOf({ name }, entries) {
  const entry = entries.find(({ source }) => source.replace(/^packages\/|(\/index)?\.ts$/g, '') === name);
  if (entry === undefined) throw new Error(`typedoc read ${name}, which is no entry of a package.`);
  return entry.folder;
}

/** The heading of a module is what is imported, and pages that docstrings name are links. */
function mend(out, page, entries) {
  const file = join(out, page);
  const up = posix.relative(posix.dirname(posix.join('reference/api', page)), '.');
  const entry = entries.find(({ folder }) => page === `${folder}/index.md`);
  const text = readFileSync(file, 'utf8');
  const mended = text.replace(
    /(?<![\w/(])docs\/([\w-]+(?:\/[\w-]+)*\.md)/g,
    (_, target) => `[${target}](${up}/${target})`,
  );
  writeFileSync(file, entry === undefined ? mended : mended.replace(/^# .+$/m, () => `# ${entry.name}`));
}
