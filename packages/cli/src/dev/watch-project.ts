/** Compiles a project again each time one of its files changes, with the user's own compiler and options. */
import { createHash } from 'node:crypto';
import { lstatSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { CompilerOptions, Diagnostic, SourceFile } from 'typescript';
import type { Cause } from '../causes/describe-cause';
import { CliFailure, failure } from '../failure';
import { cacheOf, openCache } from '../project/compile-project';
import { describeDiagnostics, problemsOf } from '../project/describe-diagnostics';
import { findProject } from '../project/find-project';
import { loadTypeScript, type Compiler } from '../project/load-typescript';
import { stylesFor, type Styles } from '../terminal/styles';
import { showBlocked } from '../terminal/while-blocked';
import type { SourceEvents, SourceWatch } from './source-watch';
import { watchBesideFiles } from './watch-beside-files';
import { NamedFilesWatch } from './watch-named-files';
import type { Shell } from '../terminal/shell';

/** For messages that a client receives. */
const PLAIN = stylesFor({ isTTY: false }, {});

/** The codes with which the compiler reports that it begins and ends. */
const STARTS = new Set([6031, 6032]);
const ENDS = new Set([6193, 6194]);

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

/**
 * Watches the project of an entry file.
 * @param entry a TypeScript file
 * @throws CliFailure if there is no compiler or no tsconfig.json
 */
export function watchProject(shell: Shell, entry: string, events: SourceEvents): SourceWatch {
  const { folder } = findProject(dirname(entry));
  const typescript = loadTypeScript(folder);
  const config = typescript.findConfigFile(dirname(entry), (path) => typescript.sys.fileExists(path));
  if (config === undefined) throw failure('SIGIL_DEV_SETTINGS', { file: entry });
  const { output: compiled, outputs } = outputsOf(typescript, config, entry);
  const memory = join(ensureCache(folder), `dev-${digestOf(config)}.tsbuildinfo`);
  // The compiler would write through a link.
  if (lstatSync(memory, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(memory);
  forgetIfForeign(memory, outputs);
  const found: Diagnostic[] = [];
  let remove = (): void => undefined;
  const report = (): void => {
    remove();
    named.follow(sourcesOf(running.watch));
    const errors = found.filter(({ category }) => category === typescript.DiagnosticCategory.Error);
    return errors.length === 0
      ? events.built(compiled)
      : events.failed(causeOf(typescript, errors, { folder, styles: shell.errorStyles }));
  };
  const host = hostOf(typescript, { config, memory, found }, (code) => {
    if (STARTS.has(code)) {
      found.length = 0;
      events.changed();
      remove = showBlocked(shell, 'Compiling');
    } else if (ENDS.has(code)) report();
  });
  const forgetTimers = rememberTimers(host);
  const named = new NamedFilesWatch(dirname(entry), events, report);
  // The first report comes before there is a program.
  const running: { watch?: Watching } = {};
  const watch = (running.watch = typescript.createWatchProgram(host));
  named.follow(sourcesOf(watch));
  const beside = watchBesideFiles(dirname(entry), events, report);
  return {
    close: async () => {
      forgetTimers();
      watch.close();
      await Promise.all([beside.close(), named.close()]);
    },
  };
}

/** What a watching compiler reads. */
interface Watching {
  getProgram(): { getSourceFiles(): readonly SourceFile[] };
}

/** The sources of the project itself. */
function sourcesOf(watch: Watching | undefined): readonly SourceFile[] {
  return (
    watch
      ?.getProgram()
      .getSourceFiles()
      .filter(({ isDeclarationFile }) => !isDeclarationFile) ?? []
  );
}

interface Watched {
  readonly config: string;
  /** The file in which the compiler stores what it found. */
  readonly memory: string;
  /** Receives the compiler's messages about sources. */
  readonly found: Diagnostic[];
}

/** @param heard receives the codes with which the compiler reports what it does */
function hostOf(typescript: Compiler, { config, memory, found }: Watched, heard: (code: number) => void) {
  return typescript.createWatchCompilerHost(
    config,
    { ...OVERRIDES, tsBuildInfoFile: memory },
    typescript.sys,
    typescript.createEmitAndSemanticDiagnosticsBuilderProgram,
    (diagnostic) => found.push(diagnostic),
    ({ code }) => heard(code),
  );
}

function causeOf(
  typescript: Compiler,
  errors: readonly Diagnostic[],
  { folder, styles: own }: { readonly folder: string; readonly styles: Styles },
): Cause {
  const describe = (styles: Styles): string => describeDiagnostics(typescript, errors, { folder, styles });
  const [headline = ''] = describe(PLAIN).split('\n');
  const problems = problemsOf(typescript, errors, folder);
  return { headline, text: describe(own), problems };
}

/** The timers of a watching compiler, which waits until files are at rest. */
interface Timing {
  setTimeout?(callback: (...args: unknown[]) => void, milliseconds: number, ...args: unknown[]): unknown;
  clearTimeout?(timer: unknown): void;
}

/** A compiler that is closed during such a wait would continue to watch. @returns ends all waiting */
function rememberTimers(host: Timing): () => void {
  const timers = new Set<NodeJS.Timeout>();
  host.setTimeout = (callback, milliseconds, ...args) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      callback(...args);
    }, milliseconds);
    timers.add(timer);
    return timer;
  };
  host.clearTimeout = (timer) => {
    // Created above.
    timers.delete(timer as NodeJS.Timeout);
    clearTimeout(timer as NodeJS.Timeout);
  };
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** The files that the compiler writes. */
interface Outputs {
  /** The compiled entry. */
  readonly output: string;
  /** The compiled files of all sources. */
  readonly outputs: readonly string[];
}

function outputsOf(typescript: Compiler, config: string, entry: string): Outputs {
  const { config: content } = typescript.readConfigFile(config, (path) => typescript.sys.readFile(path)) as {
    config: unknown;
  };
  const parsed = typescript.parseJsonConfigFileContent(content, typescript.sys, dirname(config), OVERRIDES, config);
  const ignoreCase = !typescript.sys.useCaseSensitiveFileNames;
  const source = parsed.fileNames.find((name) => resolve(name) === resolve(entry));
  if (source === undefined) {
    throw failure('SIGIL_DEV_NOT_INCLUDED', { settings: config, file: entry });
  }
  const programOf = (name: string): string | undefined =>
    /\.d\.[cm]?ts$/.test(name)
      ? undefined
      : typescript.getOutputFileNames(parsed, name, ignoreCase).find((written) => /\.[cm]?jsx?$/.test(written));
  const output = programOf(source);
  if (output === undefined) throw failure('SIGIL_DEV_NO_OUTPUT', { settings: config, file: entry });
  return { output, outputs: parsed.fileNames.flatMap((name) => programOf(name) ?? []) };
}

/** The compiler's memory of its last run is valid only for its own output: if output is missing or newer, everything is written again. */
function forgetIfForeign(memory: string, outputs: readonly string[]): void {
  const remembered = modifiedAt(memory);
  if (remembered === undefined) return;
  const isForeign = outputs.some((output) => (modifiedAt(output) ?? Infinity) > remembered);
  if (isForeign) rmSync(memory, { force: true });
}

/** Before the compiler looks: a `node_modules` that appears later is a change to it, and makes a version that nobody asked for. */
function ensureCache(folder: string): string {
  try {
    return openCache(folder);
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    // The project is read-only; then the compiler stores nothing either.
    return cacheOf(folder);
  }
}

function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function digestOf(config: string): string {
  return createHash('sha256').update(config).digest('hex').slice(0, 16);
}
