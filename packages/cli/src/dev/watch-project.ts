/** Compiles a project again whenever one of its files changes, with the user's own compiler and options. */
import { dirname, resolve } from 'node:path';
import type { CompilerOptions, Diagnostic } from 'typescript';
import { failure } from '../failure';
import { describeDiagnostics } from '../project/describe-diagnostics';
import { findProject } from '../project/find-project';
import { loadTypeScript, type Compiler } from '../project/load-typescript';
import { stylesFor } from '../terminal/styles';
import type { SourceEvents, SourceWatch } from './source-watch';

/** The codes with which the compiler reports that it begins and ends. */
const STARTS = new Set([6031, 6032]);
const ENDS = new Set([6193, 6194]);

/** Options that keep the compiler from writing a program with errors: the one that compiled last goes on. */
const OVERRIDES: CompilerOptions = { noEmit: false, emitDeclarationOnly: false, noEmitOnError: true, sourceMap: true };

/**
 * Watches the project of an entry file.
 * @param entry a TypeScript file
 * @throws CliFailure where there is no compiler or no tsconfig.json
 */
export function watchProject(entry: string, events: SourceEvents): SourceWatch {
  const { folder } = findProject(dirname(entry));
  const typescript = loadTypeScript(folder);
  const config = typescript.findConfigFile(dirname(entry), (path) => typescript.sys.fileExists(path));
  if (config === undefined) {
    throw failure('SIGIL_DEV_SETTINGS', { file: entry });
  }
  const compiled = outputOf(typescript, config, entry);
  const found: Diagnostic[] = [];
  const host = typescript.createWatchCompilerHost(
    config,
    OVERRIDES,
    typescript.sys,
    typescript.createEmitAndSemanticDiagnosticsBuilderProgram,
    (diagnostic) => found.push(diagnostic),
    ({ code }) => {
      if (STARTS.has(code)) {
        found.length = 0;
        events.changed();
      } else if (ENDS.has(code)) report();
    },
  );
  const report = (): void => {
    const errors = found.filter(({ category }) => category === typescript.DiagnosticCategory.Error);
    if (errors.length === 0) events.built(compiled);
    else events.failed(describeDiagnostics(typescript, errors, { folder, styles: stylesFor(process.stderr) }));
  };
  const forgetTimers = rememberTimers(host);
  const watch = typescript.createWatchProgram(host);
  return {
    close: async () => {
      forgetTimers();
      watch.close();
    },
  };
}

/** The part of a watching compiler that waits, by timers, until files have come to rest. */
interface Timing {
  setTimeout?(callback: (...args: unknown[]) => void, milliseconds: number, ...args: unknown[]): unknown;
  clearTimeout?(timer: unknown): void;
}

/** A compiler that waits when it is closed would go on watching afterwards. @returns ends all waiting */
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
    // Made above.
    timers.delete(timer as NodeJS.Timeout);
    clearTimeout(timer as NodeJS.Timeout);
  };
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** Where the compiler writes what an entry becomes. */
function outputOf(typescript: Compiler, config: string, entry: string): string {
  const { config: content } = typescript.readConfigFile(config, (path) => typescript.sys.readFile(path)) as {
    config: unknown;
  };
  const parsed = typescript.parseJsonConfigFileContent(content, typescript.sys, dirname(config), OVERRIDES, config);
  const ignoreCase = !typescript.sys.useCaseSensitiveFileNames;
  const source = parsed.fileNames.find((name) => resolve(name) === resolve(entry));
  if (source === undefined) {
    throw failure('SIGIL_DEV_NOT_INCLUDED', { settings: config, file: entry });
  }
  const output = typescript.getOutputFileNames(parsed, source, ignoreCase).find((name) => /\.[cm]?js$/.test(name));
  if (output !== undefined) return output;
  throw failure('SIGIL_DEV_NO_OUTPUT', { settings: config, file: entry });
}
