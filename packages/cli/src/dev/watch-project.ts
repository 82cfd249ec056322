/** Compiles a project again each time one of its files changes, with the user's own compiler and options. */
import { createHash } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from 'typescript';
import type { Clock } from '@sigil-mcp/base';
import type { Cause } from '../causes/describe-cause';
import { CliFailure, failure } from '../failure';
import { cacheOf, openCache } from '../project/compile-project';
import { describeDiagnostics, problemsOf } from '../project/describe-diagnostics';
import { findProject } from '../project/find-project';
import { loadTypeScript, type Compiler } from '../project/load-typescript';
import { RepeatedCompiler, type Compilation } from '../project/repeated-compiler';
import { isOfCommands, watchFolder } from '../project/watch-folder';
import { stylesFor, type Styles } from '../terminal/styles';
import { whileBlocked } from '../terminal/status-line';
import { isBelow } from '../write-files';
import type { SourceEvents, SourceWatch } from './tap';
import { NamedFilesWatch } from './watch-files';
import type { Shell } from '../terminal/shell';

/** For messages that a client receives. */
const PLAIN = stylesFor({ isTTY: false }, {});

/**
 * Watches the project of an entry file: one watch of its folder tells when to look, and what is on the disk then is compiled.
 * @param entry a TypeScript file
 * @param clock measures when the files are at rest; the system clock if left out
 * @throws CliFailure if there is no compiler or no tsconfig.json
 */
export function watchProject(shell: Shell, entry: string, events: SourceEvents, clock?: Clock): SourceWatch {
  const { folder } = findProject(dirname(entry));
  const typescript = loadTypeScript(folder);
  const config = typescript.findConfigFile(dirname(entry), (path) => typescript.sys.fileExists(path));
  if (config === undefined) throw failure('SIGIL_DEV_SETTINGS', { file: entry });
  const memory = join(ensureCache(folder), `dev-${digestOf(config)}.tsbuildinfo`);
  // The compiler would write through a link.
  if (lstatSync(memory, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(memory);
  const compiler = new RepeatedCompiler(typescript, { config, entry, memory });
  return new ProjectWatch({ shell, typescript, compiler, entry, config, folder, events, clock });
}

interface Watched {
  readonly shell: Shell;
  readonly typescript: Compiler;
  readonly compiler: RepeatedCompiler;
  readonly entry: string;
  readonly config: string;
  /** Of the project. */
  readonly folder: string;
  readonly events: SourceEvents;
  readonly clock: Clock | undefined;
}

class ProjectWatch implements SourceWatch {
  readonly #folder: { close(): Promise<void> };
  readonly #elsewhere: NamedFilesWatch;
  /** @throws CliFailure if the entry is no source of the project */
  constructor(private readonly watched: Watched) {
    const { config, entry, events, clock } = watched;
    const [top, sources] = [dirname(config), dirname(entry)];
    // Each by its name: the methods of an instance are not copied with `...`.
    const silent = { changed: () => undefined, missing: (problem: string) => events.missing(problem) };
    this.#elsewhere = new NamedFilesWatch(sources, silent, () => this.again(), clock);
    this.#tell(this.#compile(), true);
    this.#folder = watchFolder(
      top,
      {
        // What was saved since the first look.
        ready: () => this.#look(false),
        changed: () => undefined,
        // A server reads files next to its sources when it starts, such as skills and views.
        settled: (paths) => this.#look([...paths].some((path) => isBelow(sources, path) && !isOfCompiler(path))),
        missing: (problem) => events.missing(problem),
      },
      { ignores: (parts, isFile) => isLeftOut(parts, isFile, relative(top, sources)), ...(clock && { clock }) },
    );
  }

  again(): void {
    this.#look(true);
  }

  async close(): Promise<void> {
    await Promise.all([this.#folder.close(), this.#elsewhere.close()]);
  }

  /** Compiles what is on the disk, and tells it if it is new. @param isAnyway tells it in any case */
  #look(isAnyway: boolean): void {
    try {
      this.#tell(this.#compile(), isAnyway);
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error;
      this.watched.events.changed();
      this.watched.events.failed(causeOfFailure(error));
    }
  }

  #compile(): Compilation {
    const { shell, compiler } = this.watched;
    return whileBlocked(shell, 'Compiling', () => compiler.compile());
  }

  #tell({ program, errors, isNew, sources, settings }: Compilation, isAnyway: boolean): void {
    const { events, typescript, folder, shell, config } = this.watched;
    const files = [...sources.map(({ fileName }) => fileName), ...settings].map((file) => resolve(file));
    this.#elsewhere.follow(
      sources,
      files.filter((file) => !isBelow(dirname(config), file) && !file.split(sep).includes('node_modules')),
    );
    if (!isNew && !isAnyway) return;
    events.changed();
    if (errors.length === 0) events.built(program);
    else events.failed(causeOf(typescript, errors, { folder, styles: shell.errorStyles }));
  }
}

/** A mistake in the settings, as the command writes it. */
function causeOfFailure({ message, fix }: CliFailure): Cause {
  return { headline: message, text: `${message}\n${fix}`, problems: [{ message, rest: [fix] }] };
}

/** Hidden files, results of commands, and away from the sources everything but sources and settings. */
function isLeftOut(parts: readonly string[], isFile: boolean, sources: string): boolean {
  const name = parts.at(-1) ?? '';
  if (name.startsWith('.') && name.length > 1 && name !== '..') return true;
  const isNear = sources === '' || `${parts.join(sep)}${sep}`.startsWith(`${sources}${sep}`);
  return !isNear && (parts.some(isOfCommands) || (isFile && !/\.([cm]?[jt]sx?|json)$/.test(name)));
}

/** What the compiler reads, or writes. */
function isOfCompiler(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
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

function digestOf(config: string): string {
  return createHash('sha256').update(config).digest('hex').slice(0, 16);
}
