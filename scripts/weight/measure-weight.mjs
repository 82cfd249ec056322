/** The figures of the weight of this repository: how much there is to read, to know and to install. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What each figure counts, and in which direction it is better. */
export const FIGURES = {
  files: { counts: 'source files of the packages', better: 'less' },
  code: { counts: 'lines of code in them, without comments and blank lines', better: 'less' },
  median: { counts: 'lines of the median file', better: 'more' },
  tiny: { counts: 'files with at most 30 lines', better: 'less' },
  foldable: { counts: 'files with fewer than 40 lines and one importer', better: 'less' },
  oneImplementation: { counts: 'interfaces that one class implements', better: 'less' },
  sameTypeName: { counts: 'names of types that several files declare', better: 'less' },
  extensionMembers: { counts: 'members of the port of extensions', better: 'less' },
  cliCode: { counts: 'lines of code of the command', better: 'less' },
  testCode: { counts: 'lines of code of tests, apps, benchmarks and scripts', better: 'less' },
  tracked: { counts: 'files in git', better: 'less' },
  installed: { counts: 'packages that npm ci installs', better: 'less' },
};

/** The figures of the checkout in a folder, by their names in `FIGURES`. */
export function measureWeight(root) {
  const tracked = filesOf(root);
  const texts = (pattern) =>
    tracked
      .filter((file) => pattern.test(file))
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const sources = texts(/^packages\/[^/]+\/src\/.+\.ts$/);
  const tests = texts(/^(?:(?:test|apps|scripts|bench)|packages\/[^/]+\/test)\/.+\.[cm]?[jt]sx?$/);
  const sizes = sources.map(({ text }) => linesOf(text)).sort((a, b) => a - b);
  const command = sources.filter(({ file }) => file.startsWith('packages/cli/'));
  return {
    files: sources.length,
    code: codeOf(sources),
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    tiny: sizes.filter((size) => size <= 30).length,
    foldable: foldable(sources).length,
    ...typesOf(sources),
    extensionMembers: membersOf(sources, 'Extension'),
    cliCode: codeOf(command),
    testCode: codeOf(tests),
    tracked: tracked.length,
    installed: installedIn(root),
  };
}

/** The files that git tracks or would track. */
function filesOf(root) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  return [...new Set(listed)].filter((file) => file !== '' && existsSync(join(root, file)));
}

function linesOf(text) {
  return text.split('\n').length - 1;
}

/** The lines of code of several files. */
function codeOf(files) {
  const isCode = (line) => line.trim() !== '' && !line.trim().startsWith('//');
  return files.reduce(
    (sum, { text }) =>
      sum +
      text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .split('\n')
        .filter(isCode).length,
    0,
  );
}

/** Small files with one importer; entries, which list what others have, are no importers. */
function foldable(sources) {
  const known = new Set(sources.map(({ file }) => file));
  const importers = new Map();
  for (const { file, text } of sources)
    for (const [, specifier] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const path = normalize(join(dirname(file), specifier)).replaceAll('\\', '/');
      const found = [`${path}.ts`, `${path}/index.ts`].find((each) => known.has(each));
      if (found) importers.set(found, (importers.get(found) ?? new Set()).add(file));
    }
  return sources.filter(({ file, text }) => {
    const [importer, ...others] = importers.get(file) ?? [];
    return linesOf(text) < 40 && importer !== undefined && others.length === 0 && !importer.endsWith('index.ts');
  });
}

/** Interfaces with one implementation, and names that are declared in several files. */
function typesOf(sources) {
  const [places, interfaces, implementations] = [new Map(), new Set(), new Map()];
  for (const { file, text } of sources) {
    for (const [, kind, name] of text.matchAll(
      /^(?:export )?(?:declare )?(?:abstract )?(interface|type|class) ([A-Z]\w*)/gm,
    )) {
      places.set(name, (places.get(name) ?? new Set()).add(file));
      if (kind === 'interface') interfaces.add(name);
    }
    for (const [, list] of text.matchAll(/class \w+(?:<[^{]*?>)?(?: extends [^{]+?)? implements ([^{]+)\{/g))
      for (const name of list.split(',').map((each) => each.trim().replace(/<.*/s, '')))
        implementations.set(name, (implementations.get(name) ?? 0) + 1);
  }
  return {
    oneImplementation: [...implementations].filter(([name, count]) => count === 1 && interfaces.has(name)).length,
    sameTypeName: [...places.values()].filter((files) => files.size > 1).length,
  };
}

/** The members of an exported interface. */
function membersOf(sources, name) {
  const start = new RegExp(`^export interface ${name}[ <][^{]*\\{\\n`, 'm');
  const { text } = sources.find((source) => start.test(source.text)) ?? { text: '' };
  const body = text.slice(text.search(start)).split('\n}')[0] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?\w+\??[(:]/gm)].length;
}

/** What `npm ci` installs; packages of this repository are links. */
function installedIn(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true).length;
}
