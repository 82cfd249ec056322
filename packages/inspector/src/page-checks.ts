/** `sigil doctor`, `sigil check`, `sigil contract check`, and the tests that a change concerns: run by the page, one at a time, the tests only once a person has switched them on. */
import { statSync, readFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { isObject, type Clock } from '@sigil-mcp/base';
import { OwnPrograms, type OwnProgram } from './own-programs';
import type { SendEvent } from './page-stream';
import { createRequire } from 'node:module';
import { shownPath } from '@sigil-mcp/cli/kit';
import { ParsedSources, programOfCli } from '@sigil-mcp/cli/kit/dev';
import { pageError } from './errors';

/** A test runner. */
interface TestRunner {
  readonly name: string;
  /** Runs the tests that depend on files, or all without any. */
  readonly programFor: (files: readonly string[]) => OwnProgram;
}

/** The runners by the names of their packages; both follow the imports of the tests. */
const ARGUMENTS: Readonly<Record<string, (files: readonly string[]) => readonly string[]>> = {
  jest: (files) => [...(files.length > 0 ? ['--findRelatedTests', ...files] : []), '--passWithNoTests'],
  vitest: (files) =>
    files.length > 0 ? ['related', '--run', '--passWithNoTests', ...files] : ['run', '--passWithNoTests'],
};

/** The tests, as a page shows them. */
export interface TestState {
  /** The name of the runner; undefined if the project has none that is known. */
  readonly runner: string | undefined;
  /** Whether each change runs the tests that it concerns. */
  readonly isOn: boolean;
  readonly phase: 'idle' | 'running' | 'passed' | 'failed' | 'stopped';
  /** The files whose tests run, below the project; none for all tests. */
  readonly files: readonly string[];
  readonly output: string;
  /** Milliseconds; undefined before the end. */
  readonly took: number | undefined;
}

/** Runs checks for the page. */
export class PageChecks {
  readonly #doctor: OwnPrograms;
  readonly #contract: OwnPrograms;
  readonly #definitions: OwnPrograms;
  readonly #tests: OwnPrograms;
  readonly #sources: ParsedSources;
  #times: ReadonlyMap<string, number> = new Map();
  #state: TestState;
  /** Identifies the run whose end is shown. */
  #current: object | undefined;

  /** @param folder of the project @param send to all pages */
  constructor(
    private readonly folder: string,
    private readonly send: SendEvent,
    private readonly clock: Clock,
  ) {
    this.#doctor = new OwnPrograms(folder);
    this.#contract = new OwnPrograms(folder);
    this.#definitions = new OwnPrograms(folder);
    this.#tests = new OwnPrograms(folder);
    this.#sources = new ParsedSources(folder);
    this.#state = { runner: undefined, isOn: false, phase: 'idle', files: [], output: '', took: undefined };
  }

  /** The tests now. */
  get tests(): TestState {
    return { ...this.#state, runner: findTestRunner(this.folder)?.name };
  }

  /** What `sigil doctor` finds. @throws SigilError if it cannot examine the project */
  async examine(): Promise<object> {
    const { stdout, output } = await this.#doctor.run({
      file: programOfCli(),
      args: ['doctor', this.folder, '--json'],
    });
    const read = readJson(stdout);
    if (isObject(read) && Array.isArray(read['checks'])) return read;
    if (isObject(read) && isObject(read['error'])) {
      const { message, fix } = read['error'];
      return { problem: `${String(message)} ${String(fix)}` };
    }
    throw pageError('SIGIL_DEV_PAGE_REQUEST', { reason: `sigil doctor says: ${output.trim().slice(0, 500)}` });
  }

  /** What `sigil check` finds in the definitions, and what they cost. */
  async checkDefinitions(): Promise<object> {
    const { stdout, output } = await this.#definitions.run({
      file: programOfCli(),
      args: ['check', '--format', 'json'],
    });
    const read = readJson(stdout);
    return isObject(read) && Array.isArray(read['findings']) ? read : { problem: output.trim().slice(0, 2000) };
  }

  /** What `sigil contract check` says: against the last commit, or against the file if no commit has it. */
  async compareContract(): Promise<object> {
    const words = ['contract', 'check', '--format', 'json'];
    const committed = await this.#contract.run({ file: programOfCli(), args: [...words, '--against', 'HEAD'] });
    const read = readJson(committed.stdout);
    if (isObject(read)) return { ...read, against: 'the last commit' };
    const { stdout, output } = await this.#contract.run({ file: programOfCli(), args: words });
    const own = readJson(stdout);
    return isObject(own) ? { ...own, against: 'its file' } : { problem: output.trim().slice(0, 2000) };
  }

  /** Switches the tests of changes on or off, or runs all tests now. */
  order(order: unknown): void {
    if (order === 'run') return this.#run([]);
    if (order === 'stop') return this.#tests.stop();
    const isOn = order === 'on';
    if (isOn) this.#times = this.#look();
    else this.#tests.stop();
    this.#change({ isOn });
  }

  /** A version is ready: its tests run, if they are switched on. */
  versionReady(): void {
    if (!this.#state.isOn) return;
    const before = this.#times;
    this.#times = this.#look();
    const changed = [...this.#times].filter(([file, time]) => before.get(file) !== time).map(([file]) => file);
    if (changed.length > 0) this.#run(changed);
  }

  /** Ends what runs. */
  close(): void {
    this.#doctor.close();
    this.#contract.close();
    this.#definitions.close();
    this.#tests.close();
  }

  #run(files: readonly string[]): void {
    const runner = findTestRunner(this.folder);
    if (!runner) return this.#change({ phase: 'failed', output: 'The project has neither jest nor vitest.' });
    const since = this.clock.elapsed();
    this.#change({
      phase: 'running',
      files: files.map((file) => shownPath(this.folder, file)),
      output: '',
      took: undefined,
    });
    const run = {};
    this.#current = run;
    this.#tests
      .run(runner.programFor(files), (output) => this.#change({ output }))
      .then(
        ({ status, output }) => {
          // Another run is the one that is shown.
          if (this.#current !== run) return;
          const phase = status === null ? 'stopped' : status === 0 ? 'passed' : 'failed';
          this.#change({ phase, output, took: this.clock.elapsed() - since });
        },
        () => this.#change({ phase: 'failed' }),
      );
  }

  #change(changes: Partial<TestState>): void {
    this.#state = { ...this.#state, ...changes };
    this.send('tests', this.tests);
  }

  /** When each source was changed last. */
  #look(): ReadonlyMap<string, number> {
    return new Map(
      this.#sources.names().map((name) => [name, statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0]),
    );
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param folder of the project @returns undefined if it has none that is known */
function findTestRunner(folder: string): TestRunner | undefined {
  const manifest = manifestAt(join(folder, 'package.json'));
  const wanted = { ...objectOf(manifest['dependencies']), ...objectOf(manifest['devDependencies']) };
  for (const [name, argumentsFor] of Object.entries(ARGUMENTS)) {
    const file = Object.hasOwn(wanted, name) ? programOf(name, folder) : undefined;
    if (file !== undefined) return { name, programFor: (files) => ({ file, args: argumentsFor(files) }) };
  }
  return undefined;
}

/** The file behind the name of a command. */
function programOf(name: string, folder: string): string | undefined {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    const { bin } = manifestAt(path);
    const file = isObject(bin) ? bin[name] : bin;
    return typeof file === 'string' ? join(dirname(path), file) : undefined;
  } catch {
    return undefined; // not installed
  }
}

function manifestAt(path: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
