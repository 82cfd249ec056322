/** Compiles a project again and again, with the user's own compiler and options; each time from what is on the disk then. */
import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type {
  CompilerOptions,
  Diagnostic,
  EmitAndSemanticDiagnosticsBuilderProgram,
  ParsedCommandLine,
  SourceFile,
} from 'typescript';
import { failure } from '../failure';
import type { Compiler } from './load-typescript';
import { errorsOf } from './program-errors';
import { ReadSources } from './read-sources';

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
