/** From the choices to the files of the project. */
import { join } from 'node:path';
import { templatesOfCli, versionOfCli } from '../version';
import { packedPackages, publishedPackages, type SigilPackages } from './packed-packages';
import { wordsOf, type PackageManager } from './installers';
import { speaksHttp, speaksStdio, type ProjectChoices } from './project-choices';
import { readTemplates, type ProjectFile, type TemplateValues } from '../files/template';

/** The package.json of the new project. */
type ProjectManifest = Record<string, unknown>;

/**
 * @returns every file of the project
 * @throws CliFailure if a packed package is missing
 */
export function projectFiles(choices: ProjectChoices): ProjectFile[] {
  const packages = sigilPackages(choices);
  const layers = [
    'base',
    choices.template,
    ...(speaksHttp(choices) ? ['http'] : []),
    choices.transport,
    ...(choices.tokens ? ['tokens'] : []),
  ];
  const folders = layers.map((layer) => join(templatesOfCli(), layer));
  const files = readTemplates(folders, valuesOf(choices, packages));
  return [...files.map((file) => withOverrides(file, choices, packages)), ...packages.files];
}

function sigilPackages(choices: ProjectChoices): SigilPackages {
  const direct = [
    'core',
    'testing',
    'cli',
    'inspector',
    ...(speaksHttp(choices) ? ['fastify'] : []),
    ...(choices.tokens ? ['oauth'] : []),
  ];
  const version = versionOfCli();
  if (choices.packages === undefined) return publishedPackages(direct, version);
  return packedPackages(choices.packages, direct, version);
}

function valuesOf(choices: ProjectChoices, { ranges, files }: SigilPackages): TemplateValues {
  const { run, test, exec, lockfile, installLocked, dropDevelopment } = wordsOf(choices.packageManager);
  const both = choices.transport === 'both';
  const hasNotes = choices.template !== 'empty';
  return {
    words: {
      name: choices.name,
      pinned: choices.pinned ?? '',
      run,
      test,
      exec,
      lockfile,
      installLocked,
      dropDevelopment,
      devFlag: `${speaksHttp(choices) ? ' --http' : ''}${choices.tokens ? ' --issuer issuer.mjs' : ''}`,
      startFlag: both ? ' --http' : '',
      moduleType: choices.esm ? 'module' : 'commonjs',
      js: choices.esm ? '.js' : '',
      asMe: choices.tokens && hasNotes ? ', me' : '',
      authScopes: hasNotes ? ", scopes: ['notes:read']" : '',
      dockerFlag: both ? ', "--http"' : '',
      ...Object.fromEntries(Object.entries(ranges).map(([name, range]) => [`range:${name}`, range])),
    },
    flags: flagsOf(choices, files.length > 0),
  };
}

/** @param vendored whether the packages of Sigil are files of the project */
function flagsOf(choices: ProjectChoices, vendored: boolean): TemplateValues['flags'] {
  const hasNotes = choices.template !== 'empty';
  return {
    pinned: choices.pinned !== undefined,
    stdio: speaksStdio(choices),
    http: speaksHttp(choices),
    onlyHttp: !speaksStdio(choices),
    both: choices.transport === 'both',
    tokens: choices.tokens,
    open: !choices.tokens,
    vendored,
    empty: !hasNotes,
    notes: hasNotes,
    database: choices.template === 'database',
    plain: choices.template !== 'database',
    // The tests of these listen on a port, or make a store fail.
    quiet: choices.tokens || choices.template === 'database',
    esm: choices.esm,
    commonjs: !choices.esm,
  };
}

/** @returns a path as one word of a shell command */
export function quoteForShell(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Newer ones need a newer Node than Fastify and we do: npm warns about it, and yarn refuses the installation. */
const FOR_NODE_20 = { 'light-my-request': '~6.6.0' };

/** Makes package managers use the tarballs for dependencies of tarballs, too, which name each other by version. */
function withOverrides(file: ProjectFile, choices: ProjectChoices, packages: SigilPackages): ProjectFile {
  const { packageManager } = choices;
  const vendored = packages.files.length === 0 ? [] : Object.entries(packages.ranges);
  const overrides = {
    ...(speaksHttp(choices) && FOR_NODE_20),
    ...Object.fromEntries(vendored.map(([name, range]) => [`@sigil-mcp/${name}`, range])),
  };
  if (file.path !== 'package.json' || Object.keys(overrides).length === 0) return file;
  // Our own template is an object.
  const manifest = JSON.parse(String(file.text)) as ProjectManifest;
  return {
    path: file.path,
    text: `${JSON.stringify({ ...manifest, ...OVERRIDES[packageManager](overrides) }, null, 2)}\n`,
  };
}

const OVERRIDES: Readonly<Record<PackageManager, (ranges: Readonly<Record<string, string>>) => ProjectManifest>> = {
  npm: (overrides) => ({ overrides }),
  pnpm: (overrides) => ({ pnpm: { overrides } }),
  yarn: (resolutions) => ({ resolutions }),
  bun: (overrides) => ({ overrides }),
};
