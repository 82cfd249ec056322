/** Compiles a project again and again, with the user's own compiler and options; each time from what is on the disk then. */
import { rmSync, statSync, type BigIntStats } from 'node:fs';
import { resolve } from 'node:path';
import type {
  CompilerOptions,
  Diagnostic,
  EmitAndSemanticDiagnosticsBuilderProgram,
  ParsedCommandLine,
  SourceFile,
  CompilerHost,
  ScriptTarget,
  CreateSourceFileOptions,
} from 'typescript';
import { failure } from '../failure';
import type { Compiler } from './load-typescript';

/** What the compiler can be asked, with a memory of its last run or without one. */
type CompilerAnswers = Readonly<Record<DiagnosticMethod, () => readonly Diagnostic[]>>;

type DiagnosticMethod =
  | 'getConfigFileParsingDiagnostics'
  | 'getSyntacticDiagnostics'
  | 'getOptionsDiagnostics'
  | 'getGlobalDiagnostics'
  | 'getSemanticDiagnostics';

/** Nanoseconds: file systems do not tell two changes apart that follow each other faster. */
const UNSURE = 2_000_000_000n;

interface FileRead {
  readonly file: SourceFile;
  /** What tells one state of the file, and one way to read it, from another. */
  readonly state: string;
  /** How it was read. */
  readonly way: string;
  /** Whether the file would be in another state if it had changed since. */
  readonly isSure: boolean;
}

/** What was read, by path. */
class ReadSources {
  readonly #read = new Map<string, FileRead>();

  /** A host that reads what has changed. @param host is changed */
  keep<Host extends CompilerHost>(host: Host): Host {
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (path, options, ...rest) => {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      const way = wayOf(options);
      const known = this.#read.get(path);
      const same = known?.way === way ? known : undefined;
      if (stats && same?.isSure && same.state === stateOf(stats)) return same.file;
      const found = getSourceFile(path, options, ...rest);
      // For the compiler, what has the same text is the same file: it checks nothing again that depends on it.
      const file = found && same?.file.text === found.text ? same.file : found;
      if (file && stats) this.#read.set(path, { file, way, state: stateOf(stats), isSure: isSure(stats) });
      else this.#read.delete(path);
      return file;
    };
    return host;
  }

  /** Reads everything again, because the options of the compiler are others. */
  forget(): void {
    this.#read.clear();
  }
}

/**
 * Options that keep the compiler from writing a program with errors, so that the last version that compiled keeps running. The compiler
 * stores what it found for the next start.
 */
const OVERRIDES: CompilerOptions = {
  noEmit: false,
  emitDeclarationOnly: false,
  noEmitOnError: true,
  sourceMap: true,
  incremental: true,
};

/** The project that is compiled. */
export interface CompiledProject {
  /** The file with the settings of the compiler. */
  readonly config: string;
  /** A TypeScript file. */
  readonly entry: string;
  /** The file in which the compiler stores what it found. */
  readonly memory: string;
}

/** The result of one look at the sources. */
export interface Compilation {
  /** The file to run, if there are no errors. */
  readonly program: string;
  readonly errors: readonly Diagnostic[];
  /** Whether a source, a setting or an error is another one than the last time. */
  readonly isNew: boolean;
  /** The sources of the project, and the files with its settings. */
  readonly sources: readonly SourceFile[];
  readonly settings: readonly string[];
}

/** The files that the compiler writes. */
interface Outputs {
  /** The compiled entry. */
  readonly output: string;
  /** The compiled files of all sources. */
  readonly outputs: readonly string[];
}

/** A compiler with a memory of its last run. */
export class RepeatedCompiler {
  readonly #read = new ReadSources();
  #options = '';
  #builder: EmitAndSemanticDiagnosticsBuilderProgram | undefined;
  #files: ReadonlySet<SourceFile> = new Set();
  /** The number of errors of the last time; undefined if it did not come so far. */
  #errors: number | undefined = 0;
  /** What is there since the compiler has written. */
  #written: readonly string[] | undefined;

  constructor(
    private readonly typescript: Compiler,
    private readonly project: CompiledProject,
  ) {}

  /** @throws CliFailure if the entry is no source of the project */
  compile(): Compilation {
    const { typescript } = this;
    const errorsBefore = this.#errors;
    this.#errors = undefined;
    const parsed = this.#readSettings();
    const { output, outputs } = this.#outputsOf(parsed);
    const areOptionsNew = this.#areNew(parsed.options);
    this.#forgetIfForeign(this.#written ?? outputs);
    const builder = this.#createBuilder(parsed);
    const errors = errorsOf(typescript, builder);
    if (errors.length === 0) {
      builder.emit();
      this.#written = outputs;
    }
    const files = new Set(builder.getSourceFiles());
    const isNew = areOptionsNew || errors.length !== errorsBefore || !isSame(files, this.#files);
    this.#files = files;
    this.#errors = errors.length;
    const sources = [...files].filter(({ isDeclarationFile }) => !isDeclarationFile);
    return { program: output, errors, isNew, sources, settings: settingsOf(parsed) };
  }

  #readSettings(): ParsedCommandLine {
    const { typescript } = this;
    const { config, memory } = this.project;
    const problems: Diagnostic[] = [];
    const host = { ...typescript.sys, onUnRecoverableConfigFileDiagnostic: (one: Diagnostic) => problems.push(one) };
    const options = { ...OVERRIDES, tsBuildInfoFile: memory };
    const parsed = typescript.getParsedCommandLineOfConfigFile(config, options, host);
    return parsed ?? { options, fileNames: [], errors: problems };
  }

  #areNew({ configFile: _, ...options }: CompilerOptions): boolean {
    const text = JSON.stringify(options);
    if (text === this.#options) return false;
    this.#options = text;
    this.#read.forget();
    return true;
  }

  #createBuilder({ fileNames, options, errors, projectReferences }: ParsedCommandLine) {
    const { typescript } = this;
    const host = this.#read.keep(typescript.createIncrementalCompilerHost(options));
    // A file that is new may be what an import finds now.
    Object.assign(host, { hasInvalidatedResolutions: () => true });
    const last = this.#builder ?? typescript.readBuilderProgram(options, host);
    return (this.#builder = typescript.createEmitAndSemanticDiagnosticsBuilderProgram(
      fileNames,
      options,
      host,
      last,
      errors,
      projectReferences,
    ));
  }

  #outputsOf(parsed: ParsedCommandLine): Outputs {
    const { typescript } = this;
    const { config, entry } = this.project;
    const ignoreCase = !typescript.sys.useCaseSensitiveFileNames;
    const source = parsed.fileNames.find((name) => resolve(name) === resolve(entry));
    if (source === undefined) throw failure('SIGIL_DEV_NOT_INCLUDED', { settings: config, file: entry });
    const programOf = (name: string): string | undefined =>
      /\.d\.[cm]?ts$/.test(name)
        ? undefined
        : typescript.getOutputFileNames(parsed, name, ignoreCase).find((written) => /\.[cm]?jsx?$/.test(written));
    const output = programOf(source);
    if (output === undefined) throw failure('SIGIL_DEV_NO_OUTPUT', { settings: config, file: entry });
    return { output, outputs: parsed.fileNames.flatMap((name) => programOf(name) ?? []) };
  }

  /** The compiler's memory of its last run is valid only for its own output: if output is missing or newer, everything is written again. */
  #forgetIfForeign(outputs: readonly string[]): void {
    const { memory } = this.project;
    const remembered = modifiedAt(memory);
    const isForeign = (output: string): boolean => (modifiedAt(output) ?? Infinity) > (remembered ?? -Infinity);
    if (!outputs.some(isForeign)) return;
    rmSync(memory, { force: true });
    this.#builder = undefined;
  }
}

/** The file with the settings, and those that it extends. */
function settingsOf({ options }: ParsedCommandLine): readonly string[] {
  const { configFile } = options as { configFile?: SourceFile & { readonly extendedSourceFiles?: readonly string[] } };
  return configFile ? [configFile.fileName, ...(configFile.extendedSourceFiles ?? [])] : [];
}

function isSame(one: ReadonlySet<SourceFile>, other: ReadonlySet<SourceFile>): boolean {
  return one.size === other.size && [...one].every((file) => other.has(file));
}

function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function wayOf(options: ScriptTarget | CreateSourceFileOptions): string {
  if (typeof options !== 'object') return String(options);
  return JSON.stringify([options.languageVersion, options.impliedNodeFormat, options.jsDocParsingMode]);
}

function stateOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino].join(' ');
}

/** A file that was written a moment ago may be written again without a trace in its times. */
function isSure({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const before = BigInt(Date.now()) * 1_000_000n - UNSURE;
  return mtimeNs < before && ctimeNs < before;
}

/** Each error once. While a text cannot be read, nothing is said about its types: most of it would follow from that. */
export function errorsOf(typescript: Compiler, program: CompilerAnswers): readonly Diagnostic[] {
  const settings = program.getConfigFileParsingDiagnostics();
  const syntax = program.getSyntacticDiagnostics();
  const found = [...settings, ...syntax];
  if (syntax.length === 0) found.push(...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics());
  if (!found.some((each) => isError(typescript, each))) found.push(...program.getSemanticDiagnostics());
  return typescript.sortAndDeduplicateDiagnostics(found).filter((each) => isError(typescript, each));
}

function isError({ DiagnosticCategory }: Compiler, { category }: Diagnostic): boolean {
  return category === DiagnosticCategory.Error;
}
