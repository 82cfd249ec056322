/** Where the compiler of a project writes what it reads, by its settings. */
import { dirname, join, resolve, sep } from 'node:path';
import { failure } from '../failure';
import { loadTypeScript, readSettings } from '../project/load-typescript';

/** A folder of sources and the folder of what is compiled of it. */
export interface SourceFolders {
  readonly source: string;
  /** The same as the sources, if compiled files lie next to them. */
  readonly output: string;
  /** The files and folders directly in the source folder that have sources in them. */
  readonly tops: ReadonlySet<string>;
}

/**
 * Reads the settings of the compiler.
 * @param folder of the project
 * @param named the path of the settings; tsconfig.json if left out
 * @throws CliFailure if they do not exist
 */
export function findSourceFolders(folder: string, named = 'tsconfig.json'): SourceFolders {
  const typescript = loadTypeScript(folder);
  const config = resolve(folder, named);
  if (!typescript.sys.fileExists(config)) throw failure('SIGIL_COPY_SETTINGS', { file: config });
  const { options, fileNames } = readSettings(typescript, config);
  const sources = fileNames.filter((name) => !/\.d\.[cm]?ts$/.test(name)).map((name) => resolve(name));
  const source = options.rootDir === undefined ? commonFolder(sources) : resolve(options.rootDir);
  const within = sources.filter((path) => path.startsWith(source + sep));
  const tops = new Set(within.map((path) => path.slice(source.length + 1).split(sep)[0] ?? ''));
  return { source, output: options.outDir === undefined ? source : resolve(options.outDir), tops };
}

function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map((path) => dirname(path).split(sep));
  const parts = typeof first === 'string' ? first.split(sep) : first;
  const shared = parts.findIndex((part, index) => others.some((other) => other[index] !== part));
  return join(sep, ...(shared === -1 ? parts : parts.slice(0, shared)));
}
