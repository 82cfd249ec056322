/** Compiles a TypeScript program once, with the user's own compiler and options, into a cache in its node_modules. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { CompilerOptions, Program, WriteFileCallback, CompilerHost, DocumentRegistry } from 'typescript';
import { failure, noServer } from '../failure';
import { copyToNewFile, writeNewFile } from '../new-file';
import type { Styles } from '../terminal/styles';
import { checkInside } from '../write-files';
import { CompileRecord, findUnchanged } from './compile-record';
import { describeDiagnostics } from './describe-diagnostics';
import { findProject } from './find-project';
import { loadTypeScript, readSettings, type Compiler } from './load-typescript';
import { errorsOf } from './repeated-compiler';

const OF_PACKAGE = /[\\/]node_modules[\\/]/;

/** The syntax trees of files in packages, by compiler. */
export class PackageFiles {
  readonly #registries = new Map<Compiler, DocumentRegistry>();

  /** A host that gives the tree of an unchanged file again. Its text is read each time. @param host is changed */
  keep<Host extends CompilerHost>(typescript: Compiler, options: CompilerOptions, host: Host): Host {
    const registry = this.#registries.get(typescript) ?? typescript.createDocumentRegistry();
    this.#registries.set(typescript, registry);
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (path, target, ...rest) => {
      const text = OF_PACKAGE.test(path) ? host.readFile(path) : undefined;
      if (text === undefined) return getSourceFile(path, target, ...rest);
      const snapshot = typescript.ScriptSnapshot.fromString(text);
      const version = createHash('sha256').update(text).digest('base64url');
      return registry.acquireDocument(path, options, snapshot, version, undefined, target);
    };
    return host;
  }
}

/** Milliseconds for which programs stay in the cache. */
const KEPT = 24 * 60 * 60 * 1000;
/** A file with the name of the compiled entry, in its folder of the cache; written last. */
const MARK = '.entry';
/** Options about the paths of input and output. */
export const ELSEWHERE = [
  'tsBuildInfoFile',
  'declarationDir',
  'outFile',
  'sourceRoot',
  'mapRoot',
  'inlineSourceMap',
] as const;

/** An entry file to compile, with its compiler. */
interface CompileJob {
  readonly typescript: Compiler;
  readonly folder: string;
  readonly entry: string;
  readonly styles: Styles;
  /** Notes what the compiler reads. */
  readonly record: CompileRecord;
  readonly files: PackageFiles;
}

/** A compilation with its sources. */
interface ReadCompilation extends CompileJob {
  readonly program: Program;
}

/**
 * Compiles an entry file and everything that it imports.
 * @param styles of error messages
 * @param files what earlier compilations have read of packages
 * @returns the path of the compiled entry; unchanged programs are not compiled again
 * @throws CliFailure with the compiler's errors, if the project does not compile
 */
export function compileProject(entry: string, styles: Styles, files = new PackageFiles()): string {
  const { folder } = findProject(dirname(entry));
  const typescript = loadTypeScript(folder);
  const compilation = { typescript, folder, entry, styles, record: new CompileRecord(), files };
  const cache = cacheOf(folder);
  // First, because the compiler notices whether the project has a node_modules folder.
  openCache(folder);
  const read = { ...compilation, program: createProgram(compilation) };
  const target = join(cache, digest(read));
  if (compiledEntry(target) === undefined) {
    check(read);
    sweep(cache);
    emit(read, target);
  }
  const compiled = compiledEntry(target);
  if (compiled === undefined) {
    throw failure('SIGIL_PROJECT_FILE', { file: join(target, MARK), reason: 'another process removed it' });
  }
  remember(read, target);
  return compiled;
}

/**
 * Finds the compiled entry of a program that has not changed since it was compiled. It does not load the compiler.
 * @returns undefined if it has to be compiled
 */
export function findCompiled(entry: string): string | undefined {
  const cache = cacheOf(dirname(entry));
  const program = findUnchanged(cache, entry);
  const compiled = program === undefined ? undefined : compiledEntry(program);
  if (program === undefined || compiled === undefined) return undefined;
  markUsed(program);
  return compiled;
}

/** The compiled entry in a folder of the cache, if the folder is complete. */
function compiledEntry(program: string): string | undefined {
  try {
    const path = join(program, fs.readFileSync(join(program, MARK), 'utf8'));
    return fs.existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Stores what the compiler has read, for the next command. Without a record, the next command compiles again. */
function remember({ record, folder, entry }: ReadCompilation, program: string): void {
  record.addFile(join(folder, 'package.json'));
  for (const path of compilerManifests(folder)) record.addFile(path);
  markUsed(program);
  try {
    record.store(cacheOf(folder), entry, program);
  } catch {
    // For example, the disk is full.
  }
}

/** The places where Node looks for the compiler, each with the manifest that has its version. */
function compilerManifests(folder: string): string[] {
  const path = join(folder, 'node_modules', 'typescript', 'package.json');
  return fs.existsSync(path) || dirname(folder) === folder ? [path] : [path, ...compilerManifests(dirname(folder))];
}

/** A program that is in use stays in the cache. */
function markUsed(program: string): void {
  const now = new Date();
  try {
    fs.utimesSync(program, now, now);
  } catch {
    // Another process has removed it, or the folder is read-only.
  }
}

/** The cache folder of the project around a folder. */
export function cacheOf(from: string): string {
  return join(modulesOf(from), '.cache', 'sigil');
}

/** The folder of packages of the project around a folder, which may be a link: the cache is in it. */
export function modulesOf(from: string): string {
  return join(findProject(from).folder, 'node_modules');
}

/**
 * Makes the cache folder of the project around a folder. Old files are removed from it, so it is no link to another folder.
 * @throws CliFailure if a link leads out of the folder of packages
 */
export function openCache(from: string): string {
  const cache = cacheOf(from);
  checkInside(cache, modulesOf(from));
  fs.mkdirSync(cache, { recursive: true });
  return cache;
}

/** The ending of unfinished names in the cache that belong to this process. */
export function unfinishedMark(): string {
  return `.${process.pid}`;
}

function createProgram(compilation: CompileJob): Program {
  const { typescript, folder, entry, record, files } = compilation;
  const { options: own, ambient } = readOptions(compilation);
  const options = {
    ...own,
    noEmit: false,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    emitDeclarationOnly: false,
    noEmitOnError: true,
    allowImportingTsExtensions: false,
    sourceMap: true,
    rootDir: folder,
    // At the same depth as the final folder, so that the paths in source maps are correct there.
    outDir: join(cacheOf(folder), 'program'),
  };
  // Only files that the entry imports are part of the program, and ambient declarations.
  const rootNames = [entry, ...ambient];
  return typescript.createProgram({
    rootNames,
    options,
    host: files.keep(typescript, options, record.watchHost(typescript.createCompilerHost(options))),
  });
}

interface Configuration {
  readonly options: CompilerOptions;
  readonly ambient: readonly string[];
}

function readOptions({ typescript, folder, entry, styles, record }: CompileJob): Configuration {
  const host = record.watchHost({ ...typescript.sys });
  const path = typescript.findConfigFile(dirname(entry), (name) => host.fileExists(name));
  const { ScriptTarget, ModuleKind } = typescript;
  if (path === undefined) {
    const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true };
    // Older compilers load the types of all packages by default.
    const ambientTypes = Number.parseInt(typescript.version) >= 6 ? { types: ['*'] } : {};
    return {
      options: {
        target: ScriptTarget.ES2022,
        module: ModuleKind.Node16,
        strict: true,
        skipLibCheck: true,
        ...decorators,
        ...ambientTypes,
      },
      ambient: [],
    };
  }
  const parsed = readSettings(typescript, path, host);
  // 18003: no input files. The entry is always included.
  const others = parsed.errors.filter(({ code }) => code !== 18003);
  const errors = parsed.mistake ? [parsed.mistake, ...others] : others;
  if (errors.length > 0) fail({ typescript, folder, styles }, errors);
  const options = { ...parsed.options };
  for (const name of ELSEWHERE) delete options[name];
  return { options, ambient: parsed.fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name)) };
}

/** A digest of everything that affects the result: sources, options, the manifest, the compiler. */
function digest({ typescript, folder, entry, program }: ReadCompilation): string {
  const hash = createHash('sha256').update(`${typescript.version}\n${relative(folder, entry)}\n`);
  hash.update(JSON.stringify(program.getCompilerOptions()));
  const manifest = join(folder, 'package.json');
  if (fs.existsSync(manifest)) hash.update(fs.readFileSync(manifest));
  for (const { fileName, text } of program.getSourceFiles()) hash.update(`\n${fileName}\n`).update(text);
  return hash.digest('hex').slice(0, 16);
}

function check({ typescript, folder, program, styles }: ReadCompilation): void {
  const errors = errorsOf(typescript, program);
  if (errors.length > 0) fail({ typescript, folder, styles }, errors);
}

function fail(
  { typescript, folder, styles }: Pick<CompileJob, 'typescript' | 'folder' | 'styles'>,
  errors: Parameters<typeof describeDiagnostics>[1],
): never {
  const described = describeDiagnostics(typescript, errors, { folder, styles });
  const count = errors.length === 1 ? 'the error' : `${errors.length} errors`;
  throw noServer('SIGIL_PROJECT_ERRORS', { folder, count, errors: described });
}

/** Writes the program to a temporary folder and renames it: another command may be about to run the same program. */
function emit({ folder, entry, program }: ReadCompilation, target: string): void {
  const unfinished = target + unfinishedMark();
  // Exclusive, so that nothing is written through a link that is there.
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished);
  const out = program.getCompilerOptions().outDir ?? target;
  let compiled = '';
  program.emit(undefined, (...[path, text, , , sources]: Parameters<WriteFileCallback>) => {
    writeNewFile(join(unfinished, relative(out, path)), text);
    if (/js$/.test(path) && sources?.some(({ fileName }) => fileName === entry)) compiled = relative(out, path);
  });
  // The manifest sets the kind of modules, and programs read their version from it.
  const manifest = join(folder, 'package.json');
  if (fs.existsSync(manifest)) copyToNewFile(manifest, join(unfinished, 'package.json'));
  writeNewFile(join(unfinished, MARK), compiled);
  if (!moveTo(target, unfinished) && compiledEntry(target) === undefined) {
    // A damaged folder is in the way.
    fs.rmSync(target, { recursive: true, force: true });
    moveTo(target, unfinished);
  }
  fs.rmSync(unfinished, { recursive: true, force: true });
}

/** @returns false if there is a folder already: another process was faster */
function moveTo(target: string, unfinished: string): boolean {
  try {
    fs.renameSync(unfinished, target);
    return true;
  } catch {
    return false;
  }
}

function sweep(cache: string): void {
  if (!fs.existsSync(cache)) return;
  const old = Date.now() - KEPT;
  for (const name of fs.readdirSync(cache)) {
    const folder = join(cache, name);
    // Another process may remove it at the same time.
    if ((fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < old)
      fs.rmSync(folder, { recursive: true, force: true });
  }
}
